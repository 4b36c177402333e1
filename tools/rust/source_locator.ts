import { isAbsolutePath, joinPath, parentPath, selfAndAncestors } from "../../core/base/paths.ts";
import type { FileLocator } from "./diagnostic.ts";

/**
 * Finds the files that the compiler names. Its paths are relative to the workspace, which is the
 * package's folder or one above it; no other folder of those holds the same path.
 *
 * @param root The canonical root.
 */
export function sourceLocator(root: string): FileLocator {
  const known = new Map<string, string | undefined>();
  return (file, manifestPath) => {
    const key = `${manifestPath}\n${file}`;
    if (!known.has(key)) known.set(key, locate(file, { root, folder: parentPath(manifestPath) }));
    return known.get(key);
  };
}

function locate(
  file: string,
  at: { readonly root: string; readonly folder: string },
): string | undefined {
  if (file === "" || file.startsWith("<")) return undefined;
  if (isAbsolutePath(file)) return relative(at.root, file);
  if (at.folder === "." || at.folder === "") return undefined;
  for (const folder of selfAndAncestors(at.folder)) {
    const path = joinPath(folder, file);
    if (isFile(path)) return relative(at.root, path);
  }
  return undefined;
}

function relative(root: string, path: string): string | undefined {
  let real: string;
  try {
    real = Deno.realPathSync(path);
  } catch {
    return undefined;
  }
  const start = /[/\\]$/.test(root) ? root : root + (Deno.build.os === "windows" ? "\\" : "/");
  return real.startsWith(start) ? real.slice(start.length).replaceAll("\\", "/") : undefined;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
