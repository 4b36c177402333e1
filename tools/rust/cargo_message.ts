/** A place in a source file as rustc gives it: lines and columns from 1, columns in characters. */
export interface RawSpan {
  readonly file: string;
  readonly isPrimary: boolean;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly label?: string;
  readonly text: readonly RawSourceLine[];
  readonly replacement?: string;
  readonly applicability?: string;
  /** The place that called the macro which this one is in. */
  readonly calledFrom?: RawSpan;
}

/** A source line with the part that a span covers, in characters from 1. */
export interface RawSourceLine {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A message of the compiler, as it came. */
export interface RawDiagnostic {
  readonly level: string;
  readonly code?: string;
  readonly message: string;
  readonly spans: readonly RawSpan[];
  readonly children: readonly RawDiagnostic[];
}

/** One line of `cargo --message-format=json` that matters. */
export type CargoMessage =
  | {
    readonly type: "diagnostic";
    readonly diagnostic: RawDiagnostic;
    /** The `Cargo.toml` of the package, absolute. */
    readonly manifestPath: string;
  }
  /** The build is over; what follows on stdout comes from tests. */
  | { readonly type: "finished" }
  | { readonly type: "other" };

const MAX_SPANS = 40;
const MAX_CHILDREN = 40;
const MAX_MACRO_DEPTH = 16;

/**
 * Reads one line of cargo's output; `undefined` when it is no message of cargo.
 *
 * The format: https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages and
 * https://doc.rust-lang.org/rustc/json.html. What is missing gets a plain default.
 */
export function parseCargoMessage(line: string): CargoMessage | undefined {
  if (!line.startsWith('{"reason":')) return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(message)) return undefined;
  switch (message["reason"]) {
    case "compiler-message":
      return isRecord(message["message"])
        ? {
          type: "diagnostic",
          diagnostic: readDiagnostic(message["message"], 0),
          manifestPath: text(message["manifest_path"]),
        }
        : { type: "other" };
    case "build-finished":
      return { type: "finished" };
    default:
      return { type: "other" };
  }
}

function readDiagnostic(from: Record<string, unknown>, depth: number): RawDiagnostic {
  const code = isRecord(from["code"]) ? text(from["code"]["code"]) : "";
  return {
    level: text(from["level"]),
    ...(code === "" ? {} : { code }),
    message: text(from["message"]),
    spans: records(from["spans"], MAX_SPANS).map((span) => readSpan(span, 0)),
    children: depth > 0
      ? []
      : records(from["children"], MAX_CHILDREN).map((child) => readDiagnostic(child, depth + 1)),
  };
}

function readSpan(from: Record<string, unknown>, depth: number): RawSpan {
  const label = from["label"];
  const replacement = from["suggested_replacement"];
  const applicability = from["suggestion_applicability"];
  const expansion = from["expansion"];
  const caller = isRecord(expansion) && isRecord(expansion["span"]) && depth < MAX_MACRO_DEPTH
    ? readSpan(expansion["span"], depth + 1)
    : undefined;
  return {
    file: text(from["file_name"]),
    isPrimary: from["is_primary"] === true,
    line: number(from["line_start"]),
    column: number(from["column_start"]),
    endLine: number(from["line_end"]),
    endColumn: number(from["column_end"]),
    ...(typeof label === "string" && label !== "" ? { label } : {}),
    text: records(from["text"], MAX_SPANS).map((line) => ({
      text: text(line["text"]),
      start: number(line["highlight_start"]),
      end: number(line["highlight_end"]),
    })),
    ...(typeof replacement === "string" ? { replacement } : {}),
    ...(typeof applicability === "string" ? { applicability } : {}),
    ...(caller === undefined ? {} : { calledFrom: caller }),
  };
}

function records(value: unknown, most: number): Record<string, unknown>[] {
  return Array.isArray(value) ? value.slice(0, most).filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 1;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
