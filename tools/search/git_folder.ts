import { isAbsolutePath, joinPath, selfAndAncestors } from "../../core/base/paths.ts";
import { pathExists } from "../../core/security/path_probe.ts";
import { readSmallFile } from "./small_file.ts";

/**
 * Where the repository that starts in a folder keeps rules of its own, or `undefined` where none
 * starts. In a linked work tree and in a submodule `.git` is a file that leads to the real one.
 */
export function excludeFile(folder: string): { readonly path: string } | undefined {
  const git = realGitFolder(folder);
  if (git === undefined || !pathExists(joinPath(git, "HEAD"))) return undefined;
  const common = firstLine(joinPath(git, "commondir"));
  const shared = common === undefined ? git : resolve(git, common);
  return { path: joinPath(shared, "info", "exclude") };
}

/** The folder at which the repository around a folder starts; the folder itself outside of one. */
export function outermostFolder(folder: string): string {
  return selfAndAncestors(folder).find((at) => excludeFile(at) !== undefined) ?? folder;
}

function realGitFolder(folder: string): string | undefined {
  const path = joinPath(folder, ".git");
  try {
    if (Deno.statSync(path).isDirectory) return path;
  } catch {
    return undefined;
  }
  const line = firstLine(path);
  return line?.startsWith("gitdir: ") ? resolve(folder, line.slice(8)) : undefined;
}

function firstLine(path: string): string | undefined {
  const bytes = readSmallFile(path);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes).split(/\r?\n/, 1)[0];
}

function resolve(folder: string, path: string): string {
  return isAbsolutePath(path) ? path : joinPath(folder, path);
}
