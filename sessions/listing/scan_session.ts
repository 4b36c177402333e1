import { headUnits } from "../../core/base/text.ts";
import type { SessionHeader } from "../entry.ts";
import { decodeLine } from "../format/entry_codec.ts";
import { readLineBlocks } from "../files/line_blocks.ts";

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

/** Options of {@linkcode scanSession}. */
export interface ScanOptions {
  /** For reading; callers that look at many files use one. */
  readonly buffer: Uint8Array<ArrayBuffer>;
  /** The size of the file, in bytes; what is appended meanwhile is not looked at. */
  readonly size: number;
}

/** Where the first prompt is looked for, in UTF-16 units. */
const PROMPT_UNITS = 64 * 1024;

/** The most of the first prompt that a list shows, in UTF-16 units. */
const SHOWN_UNITS = 200;

const ENTRY_START = '{"type":"Entry"';
const NEXT_ENTRY = `\n${ENTRY_START}`;
const HEADER_MARK = '"Header"';
const USER_MARK = '"role":"user"';
// Its first letter is rare in JSON, so the engine's search flies over the rest.
const TITLE_MARK = 'SessionInfo"';

const DECODER = new TextDecoder();

/**
 * Looks through the text of a session file without parsing it: counts the lines that start as
 * entries, takes the title from the last `SessionInfo` line and the first prompt from the first
 * 64 Ki characters. Decoding whole blocks and searching them as text is four times as fast as
 * searching the bytes, since the engine does both with vector instructions.
 */
export function scanSession(path: string, options: ScanOptions): ScannedSession {
  let entryCount = 0;
  let title: string | null = null;
  let head: ReturnType<typeof scanHead> | undefined;
  function onBlock(block: Uint8Array): void {
    const text = DECODER.decode(block);
    head ??= scanHead(text);
    entryCount += countEntries(text);
    title = lastTitle(text) ?? title;
  }
  const { buffer, size } = options;
  readLineBlocks(path, { buffer, expectedBytes: size, onBlock, onRest: onBlock });
  const { id = null, cwd = "", firstPrompt = null } = head ?? {};
  return { entryCount, id, cwd, title, firstPrompt };
}

function countEntries(text: string): number {
  let count = text.startsWith(ENTRY_START) ? 1 : 0;
  for (let at = text.indexOf(NEXT_ENTRY); at >= 0;) {
    count += 1;
    at = text.indexOf(NEXT_ENTRY, at + NEXT_ENTRY.length);
  }
  return count;
}

function lastTitle(text: string): string | undefined {
  let title: string | undefined;
  for (const { line } of linesWith(text, TITLE_MARK)) {
    const record = decodeLine(line);
    if (record?.type !== "Entry" || record.entry.payload.type !== "SessionInfo") continue;
    title = record.entry.payload.name;
  }
  return title;
}

function scanHead(
  text: string,
): { readonly id: string | null; readonly cwd: string; readonly firstPrompt: string | null } {
  const { id = null, cwd = "" } = headerOf(text) ?? {};
  for (const { line, start } of linesWith(text, USER_MARK)) {
    if (start > PROMPT_UNITS) break;
    const record = decodeLine(line);
    if (record?.type !== "Entry" || record.entry.payload.type !== "Message") continue;
    const { message } = record.entry.payload;
    if (message.role === "user") return { id, cwd, firstPrompt: firstLine(message.content) };
  }
  return { id, cwd, firstPrompt: null };
}

function headerOf(text: string): SessionHeader | undefined {
  for (const { line, start } of linesWith(text, HEADER_MARK)) {
    if (start > PROMPT_UNITS) return undefined;
    const record = decodeLine(line);
    if (record?.type === "Header") return record.header;
  }
  return undefined;
}

/** The lines that hold a mark, each once. */
function* linesWith(
  text: string,
  mark: string,
): Generator<{ readonly line: string; readonly start: number }> {
  for (let at = text.indexOf(mark); at >= 0;) {
    const start = text.lastIndexOf("\n", at) + 1;
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    yield { line: text.slice(start, end), start };
    at = text.indexOf(mark, end);
  }
}

/** The first line of a text that shows anything, bounded. */
export function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf("\n");
  return headUnits((end < 0 ? trimmed : trimmed.slice(0, end)).trimEnd(), SHOWN_UNITS);
}
