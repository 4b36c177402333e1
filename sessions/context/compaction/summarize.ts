import type { Entry } from "../../entry.ts";
import { clipLine, clipMiddle } from "../outline/clip.ts";
import { renderCompaction } from "../render_compaction.ts";
import { changedFiles } from "./changed_files.ts";
import { type CompactionSummary, type EarlierSummary, readSummary } from "./compaction_summary.ts";
import { openFailures } from "./open_failures.ts";
import { pathCalls } from "./path_calls.ts";
import { phaseLines } from "./phase_lines.ts";

const MAX_REQUEST_UNITS = 2000;
const MAX_FINDING_UNITS = 240;
const MAX_EARLIER_REQUEST_UNITS = 400;
const MAX_NOTES_UNITS = 4000;
/** How many items a list may have, tried until the summary is short enough. */
const LIST_LENGTHS = [40, 20, 10, 5, 2];

/** Options of {@linkcode summarize}. */
export interface SummarizeOptions {
  /** The ids of the entries that the summary will stand for. */
  readonly compacted: ReadonlySet<string>;
  readonly tokensCompacted: number;
  /** What the user wants to be remembered above all. */
  readonly focus?: string;
  /** About how long the summary may be when it is rendered, in UTF-16 units. */
  readonly maxUnits: number;
}

/**
 * The mechanical summary of a part of a path. The same log gives the same summary; changed files
 * and open failures are never left out for its length.
 */
export function summarize(path: readonly Entry[], options: SummarizeOptions): CompactionSummary {
  let summary = summaryWith(path, options, LIST_LENGTHS[0] ?? 40);
  for (const length of LIST_LENGTHS.slice(1)) {
    if (rendered(summary).length <= options.maxUnits) break;
    summary = summaryWith(path, options, length);
  }
  return summary;
}

function rendered(summary: CompactionSummary): string {
  return renderCompaction({ summary, first_kept: null, tokens_before: 0 });
}

function summaryWith(
  path: readonly Entry[],
  options: SummarizeOptions,
  maxItems: number,
): CompactionSummary {
  const { compacted, focus } = options;
  const entries = path.filter((entry) => compacted.has(entry.id));
  const earlier = entries.flatMap(({ payload }) =>
    payload.type === "Compaction" ? [readSummary(payload.compaction.summary)] : []
  );
  const allCalls = pathCalls(path);
  const calls = allCalls.filter(({ entryId }) => compacted.has(entryId));
  const requests = [
    ...earlier.flatMap((summary) => summary.requests),
    ...entries.flatMap(requestOf).map((text) =>
      clipMiddle(text, { maxUnits: MAX_EARLIER_REQUEST_UNITS })
    ),
  ];
  const findings = [
    ...earlier.flatMap((summary) => summary.findings),
    ...entries.flatMap(conclusionOf).map((text) => clipLine(text, MAX_FINDING_UNITS)),
  ];
  return {
    original_request: clipMiddle(originalRequest(path), { maxUnits: MAX_REQUEST_UNITS }),
    current_request: clipMiddle(currentRequest(path), { maxUnits: MAX_REQUEST_UNITS }),
    tool_calls: toolCounts(calls.map(({ name }) => name)),
    key_findings: findings.slice(-maxItems),
    phases: mergePhases(earlier, phaseLines(calls, maxItems), maxItems),
    tokens_compacted: options.tokensCompacted,
    entry_count: entries.length + earlier.reduce((sum, { entryCount }) => sum + entryCount, 0),
    time_span: timeSpan(entries),
    notes: notesOf(earlier, focus),
    requests: requests.slice(-maxItems),
    files: changedFiles(calls, earlier.flatMap((summary) => summary.files)),
    failures: openFailures(allCalls, {
      earlier: earlier.flatMap((summary) => summary.failures),
      isCompacted: ({ entryId }) => compacted.has(entryId),
    }),
  };
}

function requestOf({ payload }: Entry): string[] {
  return payload.type === "Message" && payload.message.role === "user"
    ? [payload.message.content]
    : [];
}

/** What the model said when it was done with a request. */
function conclusionOf({ payload }: Entry): string[] {
  if (payload.type === "BranchSummary") return [`Another branch: ${payload.summary}`];
  if (payload.type !== "Message" || payload.message.role !== "assistant") return [];
  const { content, tool_calls = [] } = payload.message;
  return tool_calls.length === 0 && content.trim() !== "" ? [content] : [];
}

function originalRequest(path: readonly Entry[]): string {
  return path.flatMap(requestOf)[0] ?? "";
}

/** What the latest turn began with, and how it was steered since. */
function currentRequest(path: readonly Entry[]): string {
  const parts: string[] = [];
  let before = "";
  for (const { payload } of path) {
    if (payload.type !== "Message") continue;
    const { role, content } = payload.message;
    if (role === "user") {
      if (before !== "tool") parts.length = 0;
      parts.push(content);
    }
    before = role;
  }
  return parts.join("\n\n");
}

function toolCounts(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ×${count}`);
}

/** Lines of earlier compactions stay in front of the new one of the same phase. */
function mergePhases(
  earlier: readonly EarlierSummary[],
  latest: readonly { readonly phase: string; readonly summary: string }[],
  maxItems: number,
): { readonly phase: string; readonly summary: string }[] {
  const maxUnits = Math.max(200, maxItems * 20);
  const lines = new Map<string, string[]>();
  for (const { phase, summary } of [...earlier.flatMap(({ phases }) => phases), ...latest]) {
    lines.set(phase, [...lines.get(phase) ?? [], summary]);
  }
  return [...lines].map(([phase, summaries]) => ({
    phase,
    summary: [
      ...summaries.slice(0, -1).map((summary) => clipLine(summary, maxUnits)),
      ...summaries.slice(-1),
    ].join("; "),
  }));
}

function timeSpan(entries: readonly Entry[]): { readonly secs: number; readonly nanos: number } {
  const first = entries[0]?.timestamp;
  const last = entries.at(-1)?.timestamp;
  if (first === undefined || last === undefined) return { secs: 0, nanos: 0 };
  const nanos = (last.secs_since_epoch - first.secs_since_epoch) * 1e9 +
    (last.nanos_since_epoch - first.nanos_since_epoch);
  const span = Math.max(0, nanos);
  return { secs: Math.floor(span / 1e9), nanos: span % 1e9 };
}

function notesOf(earlier: readonly EarlierSummary[], focus: string | undefined): string {
  const notes = earlier.map((summary) => summary.notes).filter((text) => text !== "");
  if (focus !== undefined && focus.trim() !== "") notes.push(`Focus: ${focus.trim()}`);
  return clipMiddle(notes.join("\n"), { maxUnits: MAX_NOTES_UNITS, headPart: 0.3 });
}
