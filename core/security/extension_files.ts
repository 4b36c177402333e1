import { joinPath } from "../base/paths.ts";
import { NATIVE_RULES, realPathOrUndefined } from "./path_probe.ts";
import { isInside } from "./path_rules.ts";

const CODE_REGEXP = /\.(?:ts|mts|js|mjs)$/;
const DECLARATION_REGEXP = /\.d\.m?ts$/;

/** The most files of code that are listed: no extension has more. */
export const MAX_CODE_FILES = 500;

/** Whether a name is that of a file of an extension's code. */
export function isCodeName(name: string): boolean {
  return CODE_REGEXP.test(name) && !DECLARATION_REGEXP.test(name);
}

/** The paths of all code files below a folder, sorted; links that lead out of it are left out. */
export function codePaths(folder: string): string[] {
  const found: string[] = [];
  const real = realPathOrUndefined(folder);
  if (real === undefined) return found;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const { name, isDirectory } of entriesOf(at)) {
      const path = joinPath(at, name);
      if (isDirectory) {
        if (name !== "node_modules" && !name.startsWith(".")) folders.push(path);
        continue;
      }
      const target = isCodeName(name) ? realPathOrUndefined(path) : undefined;
      if (target !== undefined && isInside(real, target, NATIVE_RULES)) found.push(path);
      if (found.length > MAX_CODE_FILES) return found.sort();
    }
  }
  return found.sort();
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}
