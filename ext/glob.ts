/** The most alternatives that the braces of a glob may stand for. */
const MAX_ALTERNATIVES = 64;

/**
 * A test for paths with forward slashes: `*` and `?` within a name, `**` for any number of folders,
 * `{a,b}`. Linear in the path for each `*`, so that no pattern can hold rho up.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = expandBraces(glob).map((one) => one.split("/").filter((part) => part !== "."));
  return (path) => {
    const names = path.split("/");
    return patterns.some((pattern) => matchNames(pattern, names));
  };
}

function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const close = one.indexOf("}");
    const start = close < 0 ? -1 : one.lastIndexOf("{", close);
    if (start < 0 || open.length + done.length >= MAX_ALTERNATIVES) {
      done.push(one);
      continue;
    }
    for (const choice of one.slice(start + 1, close).split(",").slice(0, MAX_ALTERNATIVES)) {
      open.push(one.slice(0, start) + choice + one.slice(close + 1));
    }
  }
  return done;
}

/** Greedy with one way back, to the last `**`: never more than names times parts. */
function matchNames(pattern: readonly string[], names: readonly string[]): boolean {
  return matchGreedily(pattern, names, {
    isMany: (part) => part === "**",
    fits: (part, name) => matchName(part, name),
  });
}

function matchName(part: string, name: string): boolean {
  return matchGreedily([...part], [...name], {
    isMany: (letter) => letter === "*",
    fits: (letter, other) => letter === "?" || letter === other,
  });
}

function matchGreedily(
  pattern: readonly string[],
  items: readonly string[],
  rule: { isMany: (part: string) => boolean; fits: (part: string, item: string) => boolean },
): boolean {
  let at = 0;
  let starAt = -1;
  let resumeAt = 0;
  for (let i = 0; i < items.length;) {
    const part = pattern[at];
    const item = items[i] ?? "";
    if (part !== undefined && rule.isMany(part)) {
      starAt = at++;
      resumeAt = i;
    } else if (part !== undefined && rule.fits(part, item)) {
      at += 1;
      i += 1;
    } else if (starAt >= 0) {
      at = starAt + 1;
      i = ++resumeAt;
    } else return false;
  }
  while (at < pattern.length && rule.isMany(pattern[at] ?? "")) at += 1;
  return at === pattern.length;
}
