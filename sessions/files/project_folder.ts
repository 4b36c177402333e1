import { isSafeId } from "../../core/base/ids.ts";
import { baseName, joinPath } from "../../core/base/paths.ts";
import { encodeUtf8 } from "../../core/base/text.ts";

/** How a session's file is named. */
const FILE_NAME_REGEXP = /^(\d{1,15})_([A-Za-z0-9_-]{1,128})\.jsonl$/;

/** The folder of all projects' sessions. */
export function sessionsFolder(home: string): string {
  return joinPath(home, "sessions");
}

/**
 * The folder of one project's sessions: the first 16 hexadecimal digits of SHA-256 over the
 * canonical root.
 */
export async function projectFolder(home: string, root: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", encodeUtf8(canonicalForm(root)));
  const hex = [...new Uint8Array(digest, 0, 8)].map((byte) => byte.toString(16).padStart(2, "0"));
  return joinPath(sessionsFolder(home), hex.join(""));
}

/** The Rust rho hashes what Windows calls the canonical path: `\\?\C:\…`, `\\?\UNC\server\…`. */
function canonicalForm(root: string): string {
  if (Deno.build.os !== "windows" || root.startsWith("\\\\?\\")) return root;
  return root.startsWith("\\\\") ? `\\\\?\\UNC\\${root.slice(2)}` : `\\\\?\\${root}`;
}

/** The name of a session's file. */
export function sessionFileName(createdAtSecs: number, id: string): string {
  return `${createdAtSecs}_${id}.jsonl`;
}

/** What a session's file name says, or `undefined` when the file is no session by its name. */
export function parseSessionFileName(
  path: string,
): { readonly createdAtSecs: number; readonly id: string } | undefined {
  const found = FILE_NAME_REGEXP.exec(baseName(path));
  const id = found?.[2];
  if (found === null || id === undefined || !isSafeId(id)) return undefined;
  return { createdAtSecs: Number(found[1]), id };
}

/** The path without `.jsonl`: full outputs and child sessions are named after it. */
export function sessionStem(path: string): string {
  return path.endsWith(".jsonl") ? path.slice(0, -".jsonl".length) : path;
}

/** Where a session keeps the full text of bounded results. */
export function fullOutputFolder(path: string): string {
  return `${sessionStem(path)}.full`;
}
