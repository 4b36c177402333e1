import { errorMessage } from "../../core/base/errors.ts";
import { type Logger, SILENT_LOGGER } from "../../core/base/log.ts";
import { joinPath } from "../../core/base/paths.ts";
import { BLOCK_BYTES } from "../files/line_blocks.ts";
import { parseSessionFileName, projectFolder, sessionsFolder } from "../files/project_folder.ts";
import { scanSession } from "./scan_session.ts";
import { type IndexedSession, readSessionIndex, writeSessionIndex } from "./session_index.ts";
import type { SessionSummary } from "../session_store.ts";

/** Where to look for sessions. */
export interface DiscoveryOptions {
  /** `RHO_HOME`. */
  readonly home: string;
  readonly logger?: Logger;
}

/** The sessions of a project, newest first. */
export async function listSessions(
  root: string,
  options: DiscoveryOptions,
): Promise<SessionSummary[]> {
  return listFolder(await projectFolder(options.home, root), options);
}

/** The sessions of all projects, newest first: for projects that were moved or renamed. */
export function listAllSessions(options: DiscoveryOptions): SessionSummary[] {
  return projectFolders(options.home)
    .flatMap((folder) => listFolder(folder, options))
    .sort(byNewest);
}

/** The path of a project's newest session, or `undefined`; reads no file. */
export async function findLatestSession(
  root: string,
  options: DiscoveryOptions,
): Promise<string | undefined> {
  const folder = await projectFolder(options.home, root);
  let latest: FoundFile | undefined;
  for (const file of foundFiles(folder, options)) {
    // An empty file holds nothing to resume.
    if (file.size > 0 && (latest === undefined || isNewer(file, latest))) latest = file;
  }
  return latest && joinPath(folder, latest.name);
}

/** How many sessions a project has; reads no file. */
export async function countSessions(root: string, options: DiscoveryOptions): Promise<number> {
  return sessionNames(await projectFolder(options.home, root)).length;
}

/** The folders of all projects that have sessions. */
export function projectFolders(home: string): string[] {
  const all = sessionsFolder(home);
  return entriesOf(all).filter((entry) => entry.isDirectory).map((entry) =>
    joinPath(all, entry.name)
  );
}

/** The file names of the sessions in a project's folder; child folders and all else are ignored. */
export function sessionNames(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => !entry.isDirectory && entry.name.endsWith(".jsonl"))
    .map((entry) => entry.name);
}

interface FoundFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The sessions in one folder, newest first. */
export function listFolder(folder: string, options: DiscoveryOptions): SessionSummary[] {
  const known = readSessionIndex(folder);
  const index = new Map<string, IndexedSession>();
  const buffer = new Uint8Array(BLOCK_BYTES);
  const files = foundFiles(folder, options).sort((a, b) => isNewer(a, b) ? -1 : 1);
  let changed = false;
  const summaries: SessionSummary[] = [];
  for (const file of files) {
    const cached = known.get(file.name);
    const fresh = cached?.size === file.size && cached.mtimeMs === file.mtimeMs;
    const scanned = fresh ? cached : scan(folder, file, { buffer, options });
    changed ||= !fresh;
    if (scanned === undefined) continue;
    index.set(file.name, scanned);
    const summary = summaryOf(folder, file, scanned);
    if (summary !== undefined) summaries.push(summary);
  }
  if (changed || known.size !== index.size) writeSessionIndex(folder, index);
  return summaries;
}

function scan(
  folder: string,
  file: FoundFile,
  context: { readonly buffer: Uint8Array<ArrayBuffer>; readonly options: DiscoveryOptions },
): IndexedSession | undefined {
  const path = joinPath(folder, file.name);
  try {
    const { size, mtimeMs } = file;
    return { size, mtimeMs, ...scanSession(path, { buffer: context.buffer, size }) };
  } catch (error) {
    warn(context.options, path, error);
    return undefined;
  }
}

/** Files that are no sessions by their content are left out; damaged ones stay. */
function summaryOf(
  folder: string,
  file: FoundFile,
  scanned: IndexedSession,
): SessionSummary | undefined {
  if (scanned.id === null && scanned.entryCount === 0) return undefined;
  const id = parseSessionFileName(file.name)?.id ?? scanned.id;
  if (id === null) return undefined;
  const { entryCount, title, firstPrompt, cwd } = scanned;
  return {
    path: joinPath(folder, file.name),
    id,
    mtimeSecs: Math.floor(file.mtimeMs / 1000),
    sizeKb: Math.ceil(file.size / 1024),
    entryCount,
    title,
    firstPrompt,
    cwd,
  };
}

function foundFiles(folder: string, options: DiscoveryOptions): FoundFile[] {
  const files: FoundFile[] = [];
  for (const name of sessionNames(folder)) {
    const path = joinPath(folder, name);
    try {
      const info = Deno.statSync(path);
      if (!info.isFile) continue;
      files.push({ name, size: info.size, mtimeMs: info.mtime?.getTime() ?? 0 });
    } catch (error) {
      warn(options, path, error);
    }
  }
  return files;
}

function warn(options: DiscoveryOptions, path: string, error: unknown): void {
  const logger = options.logger ?? SILENT_LOGGER;
  logger.warn(`Cannot read session "${path}": ${errorMessage(error)}; it is left out of the list`);
}

/** Later changes first; the name starts with the time of creation and decides between equals. */
function isNewer(a: FoundFile, b: FoundFile): boolean {
  return a.mtimeMs === b.mtimeMs ? a.name > b.name : a.mtimeMs > b.mtimeMs;
}

function byNewest(a: SessionSummary, b: SessionSummary): number {
  return b.mtimeSecs - a.mtimeSecs || (a.path < b.path ? 1 : -1);
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    // No folder means no sessions yet.
    return [];
  }
}
