import { baseName, joinPath } from "../../core/base/paths.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { missingPath, SandboxError } from "../../core/security/sandbox_error.ts";
import { HEAVY_FOLDERS } from "./folder_tree.ts";

const MAX_ENTRIES = 5000;
const MAX_MATCHES = 3;

/**
 * As `SandboxRoot.validate`; where nothing near the path is, files of the same name elsewhere in the
 * root are named instead, since models often know the name and not the folder.
 *
 * @throws {SandboxError} as `SandboxRoot.validate`.
 */
export async function validateExisting(sandbox: SandboxRoot, path: string): Promise<string> {
  try {
    return await sandbox.validate(path);
  } catch (error) {
    if (!(error instanceof SandboxError) || error.code !== "not_found") throw error;
    const near = error.data["near"];
    if (Array.isArray(near) && near.length > 0) throw error;
    const found = findByName(sandbox.root, baseName(path.replaceAll("\\", "/")));
    if (found.length === 0) throw error;
    throw missingPath({ path, root: sandbox.root }, found.map((at) => sandbox.relative(at)));
  }
}

/** Looks for a name, nearest to the root first, in a bounded number of entries; follows no links. */
function findByName(root: string, name: string): string[] {
  const wanted = name.toLowerCase();
  const found: string[] = [];
  const folders = [root];
  let seen = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of entriesOf(folder)) {
      if (++seen > MAX_ENTRIES) return found;
      const path = joinPath(folder, entry.name);
      if (entry.isDirectory && !HEAVY_FOLDERS.has(entry.name)) folders.push(path);
      if (entry.name.toLowerCase() === wanted && found.push(path) === MAX_MATCHES) return found;
    }
  }
  return found;
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}
