import { unreachable } from "../core/base/errors.ts";
import type { Entry, StoredMessage, StoredToolCall } from "./entry.ts";
import { entryToWire } from "./format/entry_codec.ts";
import { parseJson } from "./json_value.ts";
import type { Session } from "./session.ts";

/** What a session can be exported as. */
export type ExportFormat = "markdown" | "json";

/** Options of {@linkcode exportSession}. */
export interface ExportOptions {
  readonly format: ExportFormat;
  /**
   * Masks secrets; what is exported leaves rho like a stored line does.
   * @default {the session's own}
   */
  readonly redact?: (text: string) => string;
}

/**
 * A session as one text: as Markdown the active branch to read, as JSON the header, all entries in
 * the shape of the file, and the cursors.
 */
export function exportSession(session: Session, options: ExportOptions): string {
  const redact = options.redact ?? session.log.redact;
  switch (options.format) {
    case "json":
      return toJson(session, redact);
    case "markdown":
      return redact(toMarkdown(session));
    default:
      return unreachable(options.format);
  }
}

function toJson(session: Session, redact: (text: string) => string): string {
  const exported = {
    header: { ...session.header, cwd: redact(session.header.cwd) },
    title: session.title === null ? null : redact(session.title),
    cursors: session.cursors().map((cursor) =>
      cursor.name === undefined ? cursor : { ...cursor, name: redact(cursor.name) }
    ),
    entries: session.entries.map((entry) => entryToWire(entry, redact)),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

function toMarkdown(session: Session): string {
  const { header } = session;
  const created = new Date(header.created_at_secs * 1000).toISOString();
  const parts = [
    `# ${session.title ?? `Session ${header.id}`}`,
    `- session: ${header.id}\n- folder: ${header.cwd}\n- started: ${created}`,
  ];
  for (const entry of session.livePath) {
    const part = entryToMarkdown(entry);
    if (part !== "") parts.push(part);
  }
  return `${parts.join("\n\n")}\n`;
}

function entryToMarkdown({ payload }: Entry): string {
  switch (payload.type) {
    case "Message":
      return messageToMarkdown(payload.message);
    case "CustomMessage":
      return `## Note (${payload.kind})\n\n${payload.content}`;
    case "BranchSummary":
      return `## Summary of another branch\n\n${payload.summary}`;
    case "Compaction":
      return `_Earlier entries were compacted here (${payload.compaction.tokens_before} tokens)._`;
    case "ModelChange":
      return `_Model: ${payload.model}_`;
    default:
      return "";
  }
}

function messageToMarkdown(message: StoredMessage): string {
  switch (message.role) {
    case "system":
      return `<details><summary>System message</summary>\n\n${message.content}\n\n</details>`;
    case "user":
      return `## User\n\n${message.content}`;
    case "assistant":
      return [
        message.partial === undefined ? "## Assistant" : `## Assistant (${message.partial})`,
        message.content,
        ...(message.tool_calls ?? []).map(callToMarkdown),
      ].filter((part) => part !== "").join("\n\n");
    case "tool":
      return `### ${message.is_error === true ? "Error" : "Result"}\n\n${fenced(message.content)}`;
    default:
      return unreachable(message);
  }
}

function callToMarkdown(call: StoredToolCall): string {
  const { name, arguments: text } = call.function;
  const value = parseJson(text);
  const shown = value === undefined ? text : JSON.stringify(value, null, 2);
  return `### Call: ${name}\n\n${fenced(shown)}`;
}

/** A code block whose fence is longer than any run of backticks inside it. */
function fenced(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
