import { joinPath } from "../../core/base/paths.ts";
import { systemErrorCode } from "../../core/base/errors.ts";
import type { IgnoreScope } from "../search/ignore_scope.ts";

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
  /** How many entries of this folder were left out for the limit's sake. */
  readonly left: number;
  /** How many entries are ignored, here and below. */
  ignored: number;
  /** Whether something was left out here or below for the limit's sake. */
  cut: boolean;
  /** Why the folder could not be read. */
  readonly problem?: string;
}

/**
 * Reads a tree level by level, so that a limit cuts the deepest folders first. Links are named, not
 * followed; what is ignored is counted only.
 *
 * @param options.depth How many levels, from 1.
 * @param options.limit The most entries over all levels.
 * @param options.scope The ignore rules of the folder.
 */
export function readTree(
  folder: string,
  options: { readonly depth: number; readonly limit: number; readonly scope: IgnoreScope },
): FolderTree {
  const found = readEntries(folder);
  const root = toTree({ folder, found, scope: options.scope }, options.limit);
  let room = options.limit - root.entries.length;
  let level = [{ path: folder, tree: root, scope: options.scope }];
  for (let depth = 1; depth < options.depth && level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { path, tree, scope } of level) {
      for (const entry of tree.entries) {
        if (entry.type !== "folder" || entry.heavy) continue;
        const below = joinPath(path, entry.name);
        const entries = readEntries(below);
        const names = { has: (name: string) => entriesHave(entries, name) };
        const inside = scope.enter(entry.name, { folder: below, names });
        const read = toTree({ folder: below, found: entries, scope: inside }, room);
        room -= read.entries.length;
        root.cut ||= read.cut;
        root.ignored += read.ignored;
        entry.tree = read;
        next.push({ path: below, tree: read, scope: inside });
      }
    }
    level = next;
  }
  return root;
}

/** The entries of a folder, or the system's code of why they could not be read. */
function readEntries(folder: string): Deno.DirEntry[] | string {
  try {
    return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch (error) {
    return systemErrorCode(error) ?? "unknown";
  }
}

function entriesHave(entries: Deno.DirEntry[] | string, name: string): boolean {
  return typeof entries !== "string" && entries.some((entry) => entry.name === name);
}

function toTree(
  read: {
    readonly folder: string;
    readonly found: Deno.DirEntry[] | string;
    readonly scope: IgnoreScope;
  },
  room: number,
): FolderTree {
  const { folder, found, scope } = read;
  if (typeof found === "string") {
    return { entries: [], left: 0, ignored: 0, cut: false, problem: found };
  }
  const visible = found.filter(({ name, isDirectory }) =>
    name === ".git" || !scope.ignores(name, isDirectory)
  );
  const kept = visible.slice(0, Math.max(0, room));
  const left = visible.length - kept.length;
  return {
    entries: kept.map((entry) => toTreeEntry(folder, entry)),
    left,
    ignored: found.length - visible.length,
    cut: left > 0,
  };
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
