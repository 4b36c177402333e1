/**
 * Path arithmetic and path syntax as pure functions. The platform is an argument, so the rules of
 * Windows are tested on every machine.
 */

/** Which platform's rules apply. */
export interface PathRuleOptions {
  readonly windows: boolean;
}

/** A path taken apart: where it starts (empty when it is relative) and its names. */
export interface SplitPath {
  /** `/`, `C:\`, `\\server\share\` or empty. */
  readonly prefix: string;
  /** The parts between separators, empty ones left out; `.` and `..` are kept. */
  readonly names: readonly string[];
}

const WINDOWS_PREFIX_REGEXP = /^(?:[A-Za-z]:[\\/]|[\\/]{2}[^\\/]+[\\/]+[^\\/]+[\\/]?)/;
const WINDOWS_DEVICE_REGEXP =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(?:\.|$)/i;
// deno-lint-ignore no-control-regex
const WINDOWS_FORBIDDEN_REGEXP = /[<>"|?*\u0000-\u001f]/;
// deno-lint-ignore no-control-regex
const CONTROL_REGEXP = /[\u0000-\u001f\u007f]/;
const SHORT_NAME_REGEXP = /~[0-9]/;
const MAX_PATH_UNITS = 4096;

/** Takes a path apart; nothing is normalised. */
export function splitPath(path: string, options: PathRuleOptions): SplitPath {
  if (!options.windows) {
    return { prefix: path.startsWith("/") ? "/" : "", names: path.split("/").filter(Boolean) };
  }
  const found = WINDOWS_PREFIX_REGEXP.exec(path)?.[0] ?? "";
  const prefix = found === "" ? "" : found.replaceAll("/", "\\").replace(/\\*$/, () => "\\");
  return { prefix, names: path.slice(found.length).split(/[\\/]/).filter(Boolean) };
}

/** Puts a path together again. */
export function formatPath(path: SplitPath, options: PathRuleOptions): string {
  return path.prefix + path.names.join(options.windows ? "\\" : "/");
}

/**
 * Resolves `.` and `..` by their text, as the writer of the path meant them; `..` stops at the
 * filesystem root.
 */
export function resolveDots(names: readonly string[]): string[] {
  const resolved: string[] = [];
  for (const name of names) {
    if (name === "..") resolved.pop();
    else if (name !== ".") resolved.push(name);
  }
  return resolved;
}

/** Whether a path is a folder or lies below it, compared by whole names; both are absolute. */
export function isInside(folder: string, path: string, options: PathRuleOptions): boolean {
  const outer = splitPath(folder, options);
  const inner = splitPath(path, options);
  const same = (a: string, b: string | undefined) =>
    b !== undefined && (a === b || (options.windows && a.toLowerCase() === b.toLowerCase()));
  return same(outer.prefix, inner.prefix) &&
    outer.names.every((name, index) => same(name, inner.names[index]));
}

/**
 * Why a path from a model is not even looked up, or `undefined`. These are forms that mean
 * something else than they show: NUL, and on Windows device paths, network paths, drive-relative
 * paths, device names, alternate streams and names that the system silently shortens.
 *
 * @param options.root When the root itself is a network path, network paths below it are accepted.
 */
export function pathProblem(
  path: string,
  options: PathRuleOptions & { readonly root?: string },
): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it holds a NUL character";
  if (path.length > MAX_PATH_UNITS) return `it is longer than ${MAX_PATH_UNITS} characters`;
  if (!options.windows) return undefined;
  if (/^[\\/]{2}[?.](?:[\\/]|$)|^[\\/]\?\?[\\/]/.test(path)) {
    return "device paths are not accepted";
  }
  const inRoot = options.root !== undefined && isInside(options.root, path, options);
  if (/^[\\/]{2}/.test(path) && !inRoot) return "network paths are not accepted";
  if (/^[\\/](?![\\/])/.test(path)) return "it has a leading separator but no drive";
  if (/^[A-Za-z]:(?![\\/])/.test(path)) return "it is relative to the folder of a drive";
  for (const name of splitPath(path, options).names) {
    const problem = windowsNameProblem(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Why a name must not be created, or `undefined`. Stricter than {@linkcode pathProblem}: a name
 * that does not exist yet cannot be resolved to what it really means.
 */
export function newNameProblem(name: string, options: PathRuleOptions): string | undefined {
  if (name === "." || name === "..") return `it holds "${name}" below a folder that does not exist`;
  if (/[. ]$/.test(name)) return "a new name must not end with a dot or a space";
  if (CONTROL_REGEXP.test(name)) return "a new name must not hold control characters";
  if (!options.windows) return undefined;
  if (SHORT_NAME_REGEXP.test(name) && name.length <= 12) {
    return "it looks like a short (8.3) name";
  }
  return windowsNameProblem(name);
}

/** `~`, `~/x` and `~user/x`; a name that only starts with a tilde is an ordinary one. */
export function isHomePath(path: string): boolean {
  return /^~(?:[\\/]|$)|^~[A-Za-z_][A-Za-z0-9_-]*[\\/]/.test(path);
}

function windowsNameProblem(name: string): string | undefined {
  if (name === "." || name === "..") return undefined;
  if (name.includes(":")) return "alternate streams are not accepted";
  if (WINDOWS_DEVICE_REGEXP.test(name)) return `"${name}" is the name of a device`;
  if (/[. ]$/.test(name)) return "names must not end with a dot or a space";
  if (WINDOWS_FORBIDDEN_REGEXP.test(name)) return "it holds a character that names cannot have";
  return undefined;
}
