/** Options of {@linkcode mapStrings}. */
export interface MapStringsOptions {
  /** Fields whose whole value stays as it is, at any depth. */
  readonly skip?: ReadonlySet<string>;
}

/** Deeper data than this is cut, so that no input can overflow the stack. */
const MAX_DEPTH = 512;

/**
 * Applies a function to every string of a JSON value, object keys included. What does not change
 * is shared with the original, and nothing is ever altered in place.
 */
export function mapStrings(
  value: unknown,
  map: (text: string) => string,
  options: MapStringsOptions = {},
): unknown {
  return mapValue(value, { map, skip: options.skip, depth: 0 });
}

interface Walk {
  readonly map: (text: string) => string;
  readonly skip: ReadonlySet<string> | undefined;
  readonly depth: number;
}

function mapValue(value: unknown, walk: Walk): unknown {
  if (typeof value === "string") return walk.map(value);
  if (typeof value !== "object" || value === null) return value;
  if (walk.depth >= MAX_DEPTH) return null;
  const inner = { ...walk, depth: walk.depth + 1 };
  return Array.isArray(value) ? mapArray(value, inner) : mapObject(value, inner);
}

function mapArray(values: readonly unknown[], walk: Walk): unknown {
  const mapped = values.map((value) => mapValue(value, walk));
  return mapped.some((value, i) => value !== values[i]) ? mapped : values;
}

function mapObject(value: object, walk: Walk): unknown {
  let changed = false;
  const mapped = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const newKey = walk.map(key);
    const newValue = walk.skip?.has(key) ? inner : mapValue(inner, walk);
    changed ||= newKey !== key || newValue !== inner;
    return [newKey, newValue];
  });
  // `fromEntries` defines properties, so that a key named `__proto__` stays an ordinary key.
  return changed ? Object.fromEntries(mapped) : value;
}
