import { headUnits } from "../../core/base/text.ts";
import { decodeLine } from "../entry_codec.ts";
import { bytePattern, findBytes } from "./find_bytes.ts";
import { readLineBlocks } from "./line_blocks.ts";

/** What a list shows of one file, found without parsing it. */
export interface ScannedSession {
  /** Lines that are entries. */
  readonly entryCount: number;
  /** The id in the header, or `null` without a readable one. */
  readonly id: string | null;
  readonly cwd: string;
  readonly title: string | null;
  readonly firstPrompt: string | null;
}

/** Where the first prompt is looked for, in bytes. */
const PROMPT_BYTES = 64 * 1024;

/** The most of the first prompt that a list shows, in UTF-16 units. */
const PROMPT_UNITS = 200;

const NEWLINE = 0x0a;
const ENTRY_START = new TextEncoder().encode('{"type":"Entry"');
const TITLE_PATTERN = bytePattern('"SessionInfo"');
const USER_PATTERN = bytePattern('"role":"user"');
const DECODER = new TextDecoder();

/**
 * Looks through the raw bytes of a session file: counts the lines that start as entries, takes the
 * title from the last `SessionInfo` line and the first prompt from the file's first 64 KiB.
 */
export function scanSession(path: string, buffer: Uint8Array<ArrayBuffer>): ScannedSession {
  let entryCount = 0;
  let title: string | null = null;
  let head: ReturnType<typeof scanHead> | undefined;
  function onBlock(block: Uint8Array): void {
    head ??= scanHead(block);
    entryCount += countEntries(block);
    title = lastTitle(block) ?? title;
  }
  readLineBlocks(path, { buffer, onBlock, onRest: onBlock });
  const { id = null, cwd = "", firstPrompt = null } = head ?? {};
  return { entryCount, id, cwd, title, firstPrompt };
}

function countEntries(block: Uint8Array): number {
  let count = 0;
  for (let start = 0; start < block.length;) {
    if (startsEntry(block, start)) count += 1;
    const end = block.indexOf(NEWLINE, start);
    if (end < 0) break;
    start = end + 1;
  }
  return count;
}

function startsEntry(block: Uint8Array, start: number): boolean {
  for (let i = 0; i < ENTRY_START.length; i++) {
    if (block[start + i] !== ENTRY_START[i]) return false;
  }
  return true;
}

function lastTitle(block: Uint8Array): string | undefined {
  let title: string | undefined;
  for (
    let at = findBytes(block, TITLE_PATTERN, { from: 0 });
    at >= 0;
    at = findBytes(block, TITLE_PATTERN, { from: at + 1 })
  ) {
    const end = block.indexOf(NEWLINE, at);
    const start = block.lastIndexOf(NEWLINE, at) + 1;
    const record = decodeLine(DECODER.decode(block.subarray(start, end < 0 ? undefined : end)));
    if (record?.type !== "Entry" || record.entry.payload.type !== "SessionInfo") continue;
    title = record.entry.payload.name;
  }
  return title;
}

function scanHead(
  block: Uint8Array,
): { readonly id: string | null; readonly cwd: string; readonly firstPrompt: string | null } {
  let id: string | null = null;
  let cwd = "";
  const head = block.subarray(0, PROMPT_BYTES);
  for (let start = 0; start < head.length;) {
    const newline = head.indexOf(NEWLINE, start);
    const end = newline < 0 ? head.length : newline;
    const line = head.subarray(start, end);
    start = end + 1;
    const isUser = findBytes(line, USER_PATTERN, { from: 0 }) >= 0;
    if (!isUser && id !== null) continue;
    const record = decodeLine(DECODER.decode(line));
    if (record?.type === "Header" && id === null) ({ id, cwd } = record.header);
    if (record?.type !== "Entry" || record.entry.payload.type !== "Message") continue;
    const { message } = record.entry.payload;
    if (message.role === "user") return { id, cwd, firstPrompt: firstLine(message.content) };
  }
  return { id, cwd, firstPrompt: null };
}

/** The first line of a text that shows anything, bounded. */
export function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf("\n");
  return headUnits((end < 0 ? trimmed : trimmed.slice(0, end)).trimEnd(), PROMPT_UNITS);
}
