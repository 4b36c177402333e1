import { systemErrorCode } from "../base/errors.ts";
import { formatPath, splitPath } from "./path_rules.ts";

/** The path rules of the platform that this process runs on. */
export const NATIVE_RULES = { windows: Deno.build.os === "windows" } as const;

/** What stands between names on this platform. */
export const NATIVE_SEPARATOR = NATIVE_RULES.windows ? "\\" : "/";

/** Whether something, also a dangling link, has this path. */
export function pathExists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The canonical form of a path, or `undefined` where nothing is or nothing may be seen. */
export function realPathOrUndefined(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

/** The deepest part of an absolute path that exists (a dangling link counts), and what is below. */
export function nearestExisting(path: string): { readonly path: string; readonly rest: string[] } {
  const split = splitPath(path, NATIVE_RULES);
  for (let count = split.names.length; count > 0; count--) {
    const at = formatPath({ ...split, names: split.names.slice(0, count) }, NATIVE_RULES);
    if (pathExists(at)) return { path: at, rest: split.names.slice(count) };
  }
  return { path: split.prefix, rest: [...split.names] };
}

/** Whether an error says that nothing has this path. */
export function isMissingError(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    systemErrorCode(error) === "ENAMETOOLONG";
}
