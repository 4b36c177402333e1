import { joinPath } from "../base/paths.ts";
import { NATIVE_RULES, pathExists, realPathOrUndefined } from "../security/path_probe.ts";
import { isInside } from "../security/path_rules.ts";
import type { TrustStore } from "../security/trust_store.ts";
import { type AgentSettings, completionReserve } from "./settings.ts";

/** A file of the project whose text joins the system prompt. */
export interface ContextFile {
  /** Relative to the root, as the scan list names it. */
  readonly path: string;
  readonly text: string;
}

/** Why a file that is there stays out of the prompt, or is not whole in it. */
export type ContextFileProblem = "outside" | "not_a_file" | "not_text" | "too_large" | "cut";

/** What the scan list leads to. */
export interface ContextFiles {
  /** The reviewed ones, in the order of the list; each file once, whatever its names. */
  readonly files: readonly ContextFile[];
  /** Names of those that wait for a review. */
  readonly pending: readonly string[];
  /** What else keeps text out, in the order of the list. */
  readonly problems: readonly { readonly path: string; readonly problem: ContextFileProblem }[];
}

/** Options of {@linkcode loadContextFiles}. */
export interface LoadContextFilesOptions {
  /** The canonical project root. */
  readonly root: string;
  /** Names relative to the root. */
  readonly scanList: readonly string[];
  readonly store: TrustStore;
  /** The most text of all files together, in UTF-8 bytes. */
  readonly maxBytes: number;
}

/** A file beyond this is not read at all, in bytes: nobody reviews as much. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The most text of all context files together, in bytes, however large the window is. */
const MAX_TOTAL_BYTES = 64 * 1024;

const MIN_TOTAL_BYTES = 1024;

/** The part of the prompt budget that context files may fill. */
const WINDOW_FRACTION = 0.25;

/** Bytes a token, about. */
const BYTES_PER_TOKEN = 3.7;

/** How much text the context files may have in this window, in UTF-8 bytes. */
export function contextFilesLimitBytes(agent: AgentSettings): number {
  const promptBudget = agent.tokenBudget - completionReserve(agent);
  const share = Math.floor(promptBudget * WINDOW_FRACTION * BYTES_PER_TOKEN);
  return Math.min(MAX_TOTAL_BYTES, Math.max(MIN_TOTAL_BYTES, share));
}

/**
 * Reads the context files of a project. Only files inside the root count, links followed, and only
 * with the very bytes that a person has reviewed: the bytes that are hashed are those that are used.
 *
 * They are UTF-8 and nothing else, because the review shows them as UTF-8: another encoding would
 * let a text read differently there.
 *
 * Never throws: what cannot be read is left out.
 */
export async function loadContextFiles(options: LoadContextFilesOptions): Promise<ContextFiles> {
  const { root, scanList, store, maxBytes } = options;
  const files: ContextFile[] = [];
  const pending: string[] = [];
  const problems: { path: string; problem: ContextFileProblem }[] = [];
  const seen = new Set<string>();
  let left = maxBytes;
  for (const path of scanList) {
    const named = joinPath(root, ...path.split("/"));
    const real = realPathOrUndefined(named);
    if (real === undefined) {
      if (pathExists(named)) problems.push({ path, problem: "not_a_file" });
      continue;
    }
    if (seen.has(real)) continue;
    seen.add(real);
    if (!isInside(root, real, NATIVE_RULES)) {
      problems.push({ path, problem: "outside" });
      continue;
    }
    const bytes = readBounded(real);
    if (typeof bytes === "string") {
      problems.push({ path, problem: bytes });
      continue;
    }
    if (!await store.isTrusted(real, bytes)) {
      pending.push(path);
      continue;
    }
    const text = utf8Text(bytes);
    if (text === undefined) {
      problems.push({ path, problem: "not_text" });
      continue;
    }
    const shown = bytes.length <= left ? text : headOf(bytes, { path, maxBytes: left });
    if (shown !== text) problems.push({ path, problem: "cut" });
    if (shown.trim() !== "") files.push({ path, text: shown });
    left -= Math.min(left, bytes.length);
  }
  return { files, pending, problems };
}

function readBounded(path: string): Uint8Array<ArrayBuffer> | ContextFileProblem {
  try {
    const { isFile, size } = Deno.statSync(path);
    // Reading a pipe or a device would wait or never end.
    if (!isFile) return "not_a_file";
    return size > MAX_FILE_BYTES ? "too_large" : Deno.readFileSync(path);
  } catch {
    return "not_a_file";
  }
}

function utf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whole lines from the start of a file, and a sentence that says where the rest is. */
function headOf(
  bytes: Uint8Array,
  { path, maxBytes }: { readonly path: string; readonly maxBytes: number },
): string {
  const end = bytes.subarray(0, maxBytes).lastIndexOf(0x0a) + 1;
  const head = new TextDecoder().decode(bytes.subarray(0, end));
  return `${head}[Cut here: ${end} of ${bytes.length} bytes; the rest is in "${path}"]\n`;
}
