import { isRecord, type JsonRecord, numberField, stringField } from "../json_value.ts";
import type { StoredCompaction } from "../entry.ts";
import { readSummary } from "./compaction/compaction_summary.ts";

/** A compaction as the one user message that stands for what it compacted (chapter 40). */
export function renderCompaction(compaction: StoredCompaction): string {
  const { summary } = compaction;
  if (typeof summary === "string") return `[Earlier conversation, compacted]\n${summary}`;
  if (!isRecord(summary)) return "[Earlier conversation, compacted]";
  const { files, failures, requests } = readSummary(summary);
  return [
    header(summary),
    line("Current request", stringField(summary, "current_request")),
    line("Initial request", initialRequest(summary)),
    list("Requests in between", requests),
    ...phases(summary.phases),
    list("Files changed", files.map(({ path, state }) => `${path}: ${state}`)),
    list("Failed and not fixed since", failures.map(({ text }) => text)),
    list("Findings", texts(summary.key_findings)),
    stringField(summary, "notes") ?? "",
  ].filter((part) => part !== "").join("\n");
}

function header(summary: JsonRecord): string {
  const entries = numberField(summary, "entry_count");
  const tokens = numberField(summary, "tokens_compacted");
  return `[Earlier conversation, compacted: ${entries} entries, about ${tokens} tokens]`;
}

function line(name: string, text: string | undefined): string {
  return text === undefined || text.trim() === "" ? "" : `**${name}:** ${text}`;
}

function list(name: string, items: readonly string[]): string {
  return items.length === 0 ? "" : [`**${name}:**`, ...items.map((text) => `- ${text}`)].join("\n");
}

function initialRequest(summary: JsonRecord): string | undefined {
  const initial = stringField(summary, "original_request");
  return initial === stringField(summary, "current_request") ? undefined : initial;
}

function phases(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((phase) => {
    if (typeof phase === "string") return phase;
    if (!isRecord(phase)) return "";
    const name = stringField(phase, "phase") ?? stringField(phase, "name") ?? "Phase";
    return line(name, stringField(phase, "summary") ?? stringField(phase, "text"));
  });
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
