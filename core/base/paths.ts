/**
 * The few path operations that rho needs before its first answer. `node:path` is complete but
 * costs several milliseconds to load, so the start path uses these; everything loaded later may
 * use `node:path`.
 */

const IS_WINDOWS = Deno.build.os === "windows";
const SEPARATOR = IS_WINDOWS ? "\\" : "/";
const ABSOLUTE_REGEXP = IS_WINDOWS ? /^(?:[A-Za-z]:[\\/]|[\\/]{2})/ : /^\//;
const TRAILING_REGEXP = IS_WINDOWS ? /[\\/]+$/ : /\/+$/;

/** Whether a path starts at a filesystem root of this platform. */
export function isAbsolutePath(path: string): boolean {
  return ABSOLUTE_REGEXP.test(path);
}

/** Joins a folder and names below it; nothing is normalised. */
export function joinPath(folder: string, ...names: string[]): string {
  return [folder.replace(TRAILING_REGEXP, ""), ...names].join(SEPARATOR);
}

/** The last part of a path. */
export function baseName(path: string): string {
  const trimmed = path.replace(TRAILING_REGEXP, "");
  return trimmed.slice(lastSeparator(trimmed) + 1);
}

/** The folder that holds a path; a filesystem root is its own parent. */
export function parentPath(path: string): string {
  const trimmed = path.replace(TRAILING_REGEXP, "");
  const at = lastSeparator(trimmed);
  if (at < 0) return trimmed === "" || IS_WINDOWS ? path : ".";
  const parent = trimmed.slice(0, at);
  return parent === "" || /^[A-Za-z]:$/.test(parent) ? parent + SEPARATOR : parent;
}

/** A path and all the folders above it, nearest first. */
export function selfAndAncestors(path: string): string[] {
  const found = [path];
  for (let at = path, up = parentPath(at); up !== at && up !== "."; up = parentPath(at)) {
    found.push(up);
    at = up;
  }
  return found;
}

function lastSeparator(path: string): number {
  return IS_WINDOWS
    ? Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"))
    : path.lastIndexOf("/");
}
