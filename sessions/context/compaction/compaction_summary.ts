import { isRecord, type JsonRecord, stringField } from "../../json_value.ts";

/** A file that was changed, and what became of it last. */
export interface ChangedFile {
  readonly path: string;
  readonly state: string;
}

/** A check or a change that failed and has not succeeded since. */
export interface OpenFailure {
  /** What it is known by: a later success of the same closes it. */
  readonly key: string;
  readonly text: string;
}

/** What a compaction keeps of the entries that it stands for. */
export interface CompactionSummary {
  readonly original_request: string;
  readonly current_request: string;
  /** `read_file ×12`, in the order of first use. */
  readonly tool_calls: readonly string[];
  readonly key_findings: readonly string[];
  readonly phases: readonly { readonly phase: string; readonly summary: string }[];
  readonly tokens_compacted: number;
  readonly entry_count: number;
  /** From the first to the last compacted entry. */
  readonly time_span: { readonly secs: number; readonly nanos: number };
  readonly notes: string;
  /** What else the user asked for in the compacted part: an extra field of ours, like the next. */
  readonly requests: readonly string[];
  readonly files: readonly ChangedFile[];
  readonly failures: readonly OpenFailure[];
}

/** What is known of an earlier compaction, whoever wrote it. */
export interface EarlierSummary {
  readonly findings: readonly string[];
  readonly requests: readonly string[];
  readonly files: readonly ChangedFile[];
  readonly failures: readonly OpenFailure[];
  readonly phases: readonly { readonly phase: string; readonly summary: string }[];
  readonly notes: string;
  readonly entryCount: number;
}

/** Reads the summary of an earlier compaction; what it lacks is empty. */
export function readSummary(summary: unknown): EarlierSummary {
  if (!isRecord(summary)) return { ...NOTHING, notes: typeof summary === "string" ? summary : "" };
  return {
    findings: texts(summary.key_findings),
    requests: texts(summary.requests),
    files: records(summary.files).map((file) => ({
      path: stringField(file, "path") ?? "",
      state: stringField(file, "state") ?? "",
    })).filter(({ path }) => path !== ""),
    failures: records(summary.failures).map((failure) => ({
      key: stringField(failure, "key") ?? "",
      text: stringField(failure, "text") ?? "",
    })).filter(({ text }) => text !== ""),
    phases: records(summary.phases).map((phase) => ({
      phase: stringField(phase, "phase") ?? "",
      summary: stringField(phase, "summary") ?? "",
    })).filter((phase) => phase.phase !== "" && phase.summary !== ""),
    notes: stringField(summary, "notes") ?? "",
    entryCount: typeof summary.entry_count === "number" ? summary.entry_count : 0,
  };
}

const NOTHING: EarlierSummary = {
  findings: [],
  requests: [],
  files: [],
  failures: [],
  phases: [],
  notes: "",
  entryCount: 0,
};

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function records(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
