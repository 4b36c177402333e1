import { joinPath } from "../../core/base/paths.ts";
import { isSecretPath } from "../../core/security/protected_paths.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { HEAVY_FOLDERS } from "../files/folder_tree.ts";
import type { IgnoreScope } from "./ignore_scope.ts";
import { scopeOf } from "./scope_of.ts";
import type { TimeSlices } from "./time_slices.ts";

/** A file that a walk has found. */
export interface WalkedFile {
  readonly name: string;
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  /** Absolute; canonical when nothing was replaced since the walk began. */
  readonly canonical: string;
  /** How many regular files its folder holds, those left out included. */
  readonly folderFiles: number;
}

/** What a walk has left out, counted while it goes on. */
export interface WalkTally {
  files: number;
  /** Files and folders that usually hold secrets. */
  secrets: number;
  /** Folders that could not be read. */
  unreadable: number;
}

/** A name that needs the full check for secrets: one that starts, ends or is written oddly. */
const MAYBE_SECRET_REGEXP = /^(?:\.|id_)|pem|[. ]$|[^ -~]/i;

/**
 * All regular files below a folder, folder by folder, sorted by name. Hidden files count. Left out
 * are what is ignored, the folders of {@linkcode HEAVY_FOLDERS} (among them `.git`), links (what
 * they lead to inside the root is found where it is) and files that usually hold secrets.
 *
 * A generator, so that the caller decides when to pause and when to stop.
 */
export function* walkFiles(
  sandbox: SandboxRoot,
  start: { readonly canonical: string; readonly tally: WalkTally },
): Generator<WalkedFile> {
  const { canonical, tally } = start;
  const relative = sandbox.relative(canonical);
  const stack = [openFolder(tally, {
    canonical,
    prefix: relative === "." ? "" : `${relative}/`,
    scopeWith: () => scopeOf(sandbox, canonical),
  })];
  for (let folder = stack.at(-1); folder !== undefined; folder = stack.at(-1)) {
    const entry = folder.entries[folder.next++];
    if (entry === undefined) stack.pop();
    else if (isLeftOut(folder, entry, tally)) continue;
    else if (entry.isDirectory) stack.push(openBelow(folder, entry.name, tally));
    else {
      const { name } = entry;
      tally.files += 1;
      yield {
        name,
        path: folder.prefix + name,
        canonical: joinPath(folder.canonical, name),
        folderFiles: folder.files,
      };
    }
  }
}

/**
 * The files of a walk that a caller wants, with pauses in between; ends early when the time is up.
 *
 * @throws the signal's reason when the work was called off.
 */
export async function* pacedFiles(
  files: Iterable<WalkedFile>,
  options: { readonly slices: TimeSlices; readonly accepts: (file: WalkedFile) => boolean },
): AsyncGenerator<WalkedFile> {
  const { slices } = options;
  for (const file of files) {
    if (slices.isDue) await slices.rest();
    if (slices.isOver) return;
    if (options.accepts(file)) yield file;
  }
}

/** A tally of nothing yet. */
export function newTally(): WalkTally {
  return { files: 0, secrets: 0, unreadable: 0 };
}

interface OpenFolder {
  readonly canonical: string;
  /** Its path below the root, with a slash at the end unless it is the root. */
  readonly prefix: string;
  readonly scope: IgnoreScope;
  readonly entries: readonly Deno.DirEntry[];
  /** How many of them are regular files. */
  readonly files: number;
  /** The index of the entry to look at next. */
  next: number;
}

/** What {@linkcode IgnoreScope} asks of a folder's names. */
type Names = Parameters<IgnoreScope["enter"]>[1]["names"];

function openBelow(parent: OpenFolder, name: string, tally: WalkTally): OpenFolder {
  const canonical = joinPath(parent.canonical, name);
  return openFolder(tally, {
    canonical,
    prefix: `${parent.prefix}${name}/`,
    scopeWith: (names) => parent.scope.enter(name, { folder: canonical, names }),
  });
}

function openFolder(
  tally: WalkTally,
  folder: {
    readonly canonical: string;
    readonly prefix: string;
    readonly scopeWith: (names: Names) => IgnoreScope;
  },
): OpenFolder {
  const { canonical, prefix } = folder;
  const entries = readEntries(canonical, tally);
  const scope = folder.scopeWith({
    has: (wanted) => entries.some((entry) => entry.name === wanted),
  });
  const files = entries.reduce((count, entry) => entry.isFile ? count + 1 : count, 0);
  return { canonical, prefix, scope, entries, files, next: 0 };
}

function readEntries(canonical: string, tally: WalkTally): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(canonical)].sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    tally.unreadable += 1;
    return [];
  }
}

function isLeftOut(folder: OpenFolder, entry: Deno.DirEntry, tally: WalkTally): boolean {
  const { name, isDirectory } = entry;
  if (entry.isSymlink || !(isDirectory || entry.isFile)) return true;
  if (isDirectory && HEAVY_FOLDERS.has(name)) return true;
  if (folder.scope.ignores(name, isDirectory)) return true;
  if (!MAYBE_SECRET_REGEXP.test(name)) return false;
  // A folder is judged by what a file in it would be.
  const path = folder.prefix + name;
  const isSecret = isSecretPath(isDirectory ? `${path}/-` : path);
  if (isSecret) tally.secrets += 1;
  return isSecret;
}
