/** A set of code points as ranges: sorted, apart from each other, both ends inside. */
export type CharSet = readonly (readonly [from: number, to: number])[];

const LAST_CODE_POINT = 0x10ffff;
const LINE_FEED = 0x0a;

/** The set of some ranges in any order. A line feed is never in it: no line holds one. */
export function charSet(ranges: CharSet): CharSet {
  return withoutLineFeed(merge(ranges));
}

/** Everything that is not in a set, save the line feed. */
export function complement(set: CharSet): CharSet {
  const result: [number, number][] = [];
  let from = 0;
  for (const [start, end] of set) {
    if (start > from) result.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= LAST_CODE_POINT) result.push([from, LAST_CODE_POINT]);
  return withoutLineFeed(result);
}

/** Whether two sets have a member in common. */
export function intersects(a: CharSet, b: CharSet): boolean {
  return a.some(([from, to]) => b.some(([start, end]) => from <= end && start <= to));
}

/** The members of two sets. */
export function union(a: CharSet, b: CharSet): CharSet {
  return merge([...a, ...b]);
}

/**
 * A set with the other cases of its ASCII letters, or `undefined` where a member beyond ASCII would
 * need Unicode's tables. `ſ` and the Kelvin sign are other cases of `s` and `k`.
 */
export function foldAscii(set: CharSet): CharSet | undefined {
  const more: [number, number][] = [];
  for (const [from, to] of set) {
    if (to > 0x7f) return undefined;
    for (let code = from; code <= to; code++) {
      const isUpper = code >= 0x41 && code <= 0x5a;
      if (!isUpper && !(code >= 0x61 && code <= 0x7a)) continue;
      more.push([code ^ 0x20, code ^ 0x20]);
      if ((code | 0x20) === 0x73) more.push([0x17f, 0x17f]);
      if ((code | 0x20) === 0x6b) more.push([0x212a, 0x212a]);
    }
  }
  return charSet([...set, ...more]);
}

function merge(ranges: CharSet): CharSet {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function withoutLineFeed(set: CharSet): CharSet {
  return set.flatMap(([from, to]): [number, number][] => {
    if (from > LINE_FEED || to < LINE_FEED) return [[from, to]];
    const around: [number, number][] = [[from, LINE_FEED - 1], [LINE_FEED + 1, to]];
    return around.filter(([start, end]) => start <= end);
  });
}
