import { joinPath } from "../../core/base/paths.ts";
import { systemErrorCode } from "../../core/base/errors.ts";

/** Folders that are named but not entered: what tools put there is seldom what one looks for. */
export const HEAVY_FOLDERS: ReadonlySet<string> = new Set([
  "node_modules",
  "target",
  ".venv",
  "dist",
  ".git",
]);

/** One entry of a folder. */
export type TreeEntry =
  | { readonly type: "file"; readonly name: string; readonly sizeBytes: number }
  | { readonly type: "link"; readonly name: string; readonly target: string }
  | { readonly type: "other"; readonly name: string }
  | {
    readonly type: "folder";
    readonly name: string;
    readonly heavy: boolean;
    /** Absent where it was not entered. */
    tree?: FolderTree;
  };

/** A folder's content, sorted by name. */
export interface FolderTree {
  readonly entries: readonly TreeEntry[];
  /** How many entries of this folder were left out. */
  readonly left: number;
  /** Whether something was left out here or below for the limit's sake. */
  cut: boolean;
  /** Why the folder could not be read. */
  readonly problem?: string;
}

/**
 * Reads a tree level by level, so that a limit cuts the deepest folders first. Links are named, not
 * followed.
 *
 * @param options.depth How many levels, from 1.
 * @param options.limit The most entries over all levels.
 */
export function readTree(
  folder: string,
  options: { readonly depth: number; readonly limit: number },
): FolderTree {
  const root = readFolder(folder, options.limit);
  let room = options.limit - root.entries.length;
  let level: { readonly path: string; readonly tree: FolderTree }[] = [{
    path: folder,
    tree: root,
  }];
  for (let depth = 1; depth < options.depth && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { path, tree } of level) {
      for (const entry of tree.entries) {
        if (entry.type !== "folder" || entry.heavy) continue;
        const below = joinPath(path, entry.name);
        const read = readFolder(below, room);
        room -= read.entries.length;
        root.cut ||= read.cut;
        entry.tree = read;
        next.push({ path: below, tree: read });
      }
    }
    level = next;
  }
  return root;
}

function readFolder(folder: string, room: number): FolderTree {
  let found: Deno.DirEntry[];
  try {
    found = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    return { entries: [], left: 0, cut: false, problem: systemErrorCode(error) ?? "unknown" };
  }
  const kept = found.slice(0, Math.max(0, room));
  const left = found.length - kept.length;
  return { entries: kept.map((entry) => toTreeEntry(folder, entry)), left, cut: left > 0 };
}

function toTreeEntry(folder: string, entry: Deno.DirEntry): TreeEntry {
  const { name } = entry;
  if (entry.isDirectory) return { type: "folder", name, heavy: HEAVY_FOLDERS.has(name) };
  try {
    const path = joinPath(folder, name);
    if (entry.isSymlink) return { type: "link", name, target: Deno.readLinkSync(path) };
    if (entry.isFile) return { type: "file", name, sizeBytes: Deno.lstatSync(path).size };
  } catch {
    // It went away since the folder was read, or its name is no valid Unicode.
  }
  return { type: "other", name };
}
