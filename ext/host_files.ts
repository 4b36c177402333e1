import { joinPath } from "../core/base/paths.ts";
import { protectedWriteReason, secretReadReason } from "../core/security/protected_paths.ts";
import { pathExists } from "../core/security/path_probe.ts";
import type { SandboxRoot } from "../core/security/sandbox.ts";
import { writeAtomically } from "../tools/files/atomic_write.ts";
import { HEAVY_FOLDERS } from "../tools/files/folder_tree.ts";
import { loadFile, notTextReason } from "../tools/files/load_file.ts";
import { withPathLock } from "../tools/files/path_lock.ts";
import { encodeFile, PLAIN_UTF8 } from "../tools/files/text_file.ts";
import type { ToolResultDetails } from "../tools/tool.ts";
import { ExtensionError } from "./extension_error.ts";
import { globMatcher } from "./glob.ts";

/** The most files that `rho.listFiles()` returns, and entries that it looks at. */
const MAX_LISTED = 10_000;
const MAX_VISITED = 200_000;

/** A change that an extension made to a file. */
export type FileChange = ToolResultDetails & { readonly type: "FileChange" };

/** `rho.readFile(path)`: the text of a file inside the root. */
export async function readProjectFile(sandbox: SandboxRoot, path: string): Promise<string> {
  const canonical = await sandbox.validate(path);
  refuse(secretReadReason(sandbox, { given: path, canonical }));
  const loaded = loadFile(sandbox, canonical);
  if (loaded.type === "text") return loaded.text;
  throw new ExtensionError(
    "extension_refused",
    `Cannot read "${sandbox.relative(canonical)}": ${notTextReason(loaded)}`,
  );
}

/** `rho.writeFile(path, text)`: replaces a file inside the root as one step. */
export async function writeProjectFile(
  sandbox: SandboxRoot,
  file: { readonly path: string; readonly text: string },
  signal: AbortSignal,
): Promise<FileChange> {
  const canonical = await sandbox.validateForWrite(file.path);
  const target = { given: file.path, canonical };
  refuse(protectedWriteReason(sandbox, target));
  return await withPathLock(canonical, {
    signal,
    body: () => Promise.try(() => replaceText(sandbox, target, file.text.toWellFormed())),
  });
}

function replaceText(
  sandbox: SandboxRoot,
  target: { readonly given: string; readonly canonical: string },
  after: string,
): FileChange {
  const { canonical } = target;
  const path = sandbox.relative(canonical);
  if (!pathExists(canonical)) {
    writeAtomically(sandbox, canonical, { bytes: encodeFile(after, PLAIN_UTF8), before: null });
    return { type: "FileChange", path, before: null, after };
  }
  refuse(secretReadReason(sandbox, target));
  const loaded = loadFile(sandbox, canonical);
  if (loaded.type !== "text") {
    throw new ExtensionError(
      "extension_refused",
      `Cannot overwrite "${path}": ${notTextReason(loaded)}`,
    );
  }
  const bytes = encodeFile(after, loaded.encoding);
  writeAtomically(sandbox, canonical, { bytes, before: loaded.bytes });
  return { type: "FileChange", path, before: loaded.text, after };
}

/**
 * `rho.listFiles(glob)`: paths of files below the root that match, sorted. Links are not followed;
 * `.git` and folders such as `node_modules` are skipped.
 */
export function listProjectFiles(sandbox: SandboxRoot, glob: string): string[] {
  const matches = globMatcher(glob);
  const found: string[] = [];
  const folders = [""];
  let visited = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder === "" ? sandbox.root : joinPath(sandbox.root, folder))) {
      if (++visited > MAX_VISITED || found.length >= MAX_LISTED) return found.sort();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile && matches(path)) found.push(path);
      const isSkipped = entry.name === ".git" || HEAVY_FOLDERS.has(entry.name);
      if (entry.isDirectory && !isSkipped) folders.push(path);
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

function refuse(reason: string | undefined): void {
  if (reason === undefined) return;
  throw new ExtensionError("extension_refused", `Refused: ${reason}`);
}
