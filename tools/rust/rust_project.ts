import { joinPath } from "../../core/base/paths.ts";

/** Folders that hold no project of their own, or too much to look at. */
const SKIPPED: ReadonlySet<string> = new Set([
  "node_modules",
  "target",
  "dist",
  "build",
  "vendor",
  "venv",
]);

const MAX_DEPTH = 2;
const MAX_FOLDERS = 500;

/**
 * The folders of Cargo projects, relative to a root with `/`, the root itself as `""`: those with a
 * `Cargo.toml` at the root or at most two folders below. Below a project nothing is looked for, as
 * what is there belongs to it. Hidden and heavy folders and links are skipped.
 */
export function cargoFolders(root: string): string[] {
  const found: string[] = [];
  let level = [""];
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      if (hasManifest(root, folder)) found.push(folder);
      else if (depth < MAX_DEPTH && looked++ < MAX_FOLDERS) below.push(...subfolders(root, folder));
    }
    level = below;
  }
  return found;
}

/** The absolute path of a folder that {@linkcode cargoFolders} gave. */
export function absoluteFolder(root: string, folder: string): string {
  return folder === "" ? root : joinPath(root, ...folder.split("/"));
}

/** Whether a folder, relative to the root, has a `Cargo.toml`. */
export function hasManifest(root: string, folder: string): boolean {
  try {
    return Deno.statSync(joinPath(absoluteFolder(root, folder), "Cargo.toml")).isFile;
  } catch {
    return false;
  }
}

function subfolders(root: string, folder: string): string[] {
  try {
    return [...Deno.readDirSync(absoluteFolder(root, folder))]
      .filter(({ isDirectory, name }) => isDirectory && name[0] !== "." && !SKIPPED.has(name))
      .map(({ name }) => folder === "" ? name : `${folder}/${name}`)
      .sort();
  } catch {
    return [];
  }
}
