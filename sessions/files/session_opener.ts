import { errorMessage } from "../../core/base/errors.ts";
import { isSafeId, newSessionId } from "../../core/base/ids.ts";
import { baseName } from "../../core/base/paths.ts";
import type { SessionHeader } from "../entry.ts";
import { decodeLine, FORMAT_VERSION } from "../format/entry_codec.ts";
import { type LineBlocksResult, readLineBlocks } from "./line_blocks.ts";
import { parseSessionFileName, sessionStem } from "./project_folder.ts";
import type { Recovered } from "../session.ts";
import { SessionError } from "../session_error.ts";
import type { LogContent } from "../session_log.ts";
import { type RepairedLog, SessionRepair } from "./session_repair.ts";
import type { FileTail } from "./session_writer.ts";

/** A session file as it was read; nothing was written. */
export interface OpenedFile {
  readonly content: LogContent;
  /** `undefined` when the file is sound. */
  readonly recovered: Recovered | undefined;
  readonly tail: FileTail;
}

/**
 * Reads a session file, streamed and whatever its damage. Changes no byte of it.
 *
 * @throws {SessionError} `session_not_found`, `session_unreadable`, `session_empty`, or
 * `session_foreign` for anything that is no session.
 */
export function openSessionFile(path: string): OpenedFile {
  assertIsFile(path);
  const repair = new SessionRepair();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest: "none" | "whole" | "torn" = "none";
  let first = true;
  const { size, wholeSize } = readBlocks(path, {
    onBlock(block) {
      const text = decoder.decode(block);
      addLines(repair, first ? withoutBom(text) : text);
      first = false;
    },
    onRest(bytes) {
      const record = decodeLine(withoutBom(decoder.decode(bytes)));
      rest = record === undefined ? "torn" : "whole";
      if (record !== undefined) repair.add(record);
    },
    onTooLong() {
      repair.addBadLine();
    },
  });
  const isTorn = (rest as string) === "torn";
  const tornBytes = isTorn ? size - wholeSize : 0;
  const repaired = repair.finish();
  return {
    content: { header: headerOf(repaired, { path, size }), ...repaired.content },
    recovered: recoveredOf(repaired, tornBytes),
    tail: { size, wholeSize: size - tornBytes, needsNewline: size > wholeSize && !isTorn },
  };
}

function addLines(repair: SessionRepair, text: string): void {
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end);
    start = end + 1;
    const record = decodeLine(line);
    if (record !== undefined) repair.add(record);
    else if (line.trim() !== "") repair.addBadLine();
  }
}

function withoutBom(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function readBlocks(path: string, options: Parameters<typeof readLineBlocks>[1]): LineBlocksResult {
  try {
    return readLineBlocks(path, options);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function assertIsFile(path: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw unreadable(path, error);
    throw new SessionError(
      "session_not_found",
      `Cannot open session "${path}": there is no such file; listSessions shows what there is`,
      { cause: error, data: { path } },
    );
  }
  // Reading a pipe or a device would wait for ever.
  if (!info.isFile) {
    throw foreign(path, info.isDirectory ? "it is a folder" : "it is no plain file");
  }
}

function headerOf(
  repaired: RepairedLog,
  file: { readonly path: string; readonly size: number },
): SessionHeader {
  const { header, content } = repaired;
  if (header === undefined && content.entries.length === 0) {
    if (file.size > 0) throw foreign(file.path, "no line of it is a session header or entry");
    throw new SessionError(
      "session_empty",
      `Cannot open session "${file.path}": it is empty; a session starts with a header line`,
      { data: { path: file.path } },
    );
  }
  const named = parseSessionFileName(file.path);
  if (header !== undefined && isSafeId(header.id)) return header;
  const stem = baseName(sessionStem(file.path));
  return {
    version: header?.version ?? FORMAT_VERSION,
    created_at_secs: header?.created_at_secs ?? named?.createdAtSecs ??
      content.entries[0]?.timestamp.secs_since_epoch ?? 0,
    cwd: header?.cwd ?? "",
    parent_session: header?.parent_session ?? null,
    // The name of the file stays, so that every opening gives the same id.
    id: named?.id ?? (isSafeId(stem) ? stem : newSessionId()),
  };
}

function recoveredOf(repaired: RepairedLog, tornBytes: number): Recovered | undefined {
  const { badLines, reattached } = repaired;
  if (badLines === 0 && tornBytes === 0 && reattached === 0) return undefined;
  return { badLines, tornBytes, reattached };
}

function foreign(path: string, what: string): SessionError {
  return new SessionError(
    "session_foreign",
    `Cannot open session "${path}": ${what}; expected a rho session file (.jsonl)`,
    { data: { path } },
  );
}

function unreadable(path: string, error: unknown): SessionError {
  return new SessionError(
    "session_unreadable",
    `Cannot read session "${path}": ${errorMessage(error)}`,
    { cause: error, data: { path } },
  );
}
