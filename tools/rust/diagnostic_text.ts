import { headUnits } from "../../core/base/text.ts";
import type { Diagnostic, SourcePlace, Suggestion } from "./diagnostic.ts";

const MAX_SHOWN = 50;
const MAX_ENTRY_UNITS = 4000;

/** Diagnostics as a model reads them, and how many of them there was room for. */
export interface ShownDiagnostics {
  readonly text: string;
  readonly shown: number;
}

/**
 * Writes diagnostics down, one below the other, as many as fit. The first one is always shown.
 *
 * @param maxUnits The most text, in UTF-16 units.
 */
export function showDiagnostics(
  diagnostics: readonly Diagnostic[],
  maxUnits: number,
): ShownDiagnostics {
  const entries: string[] = [];
  let units = 0;
  for (const diagnostic of diagnostics.slice(0, MAX_SHOWN)) {
    const entry = headUnits(diagnosticText(diagnostic), MAX_ENTRY_UNITS);
    units += entry.length + 2;
    if (entries.length > 0 && units > maxUnits) break;
    entries.push(entry);
  }
  return { text: entries.join("\n\n"), shown: entries.length };
}

/** One diagnostic: level, code, message; place and item; source; notes; proposed changes. */
export function diagnosticText(diagnostic: Diagnostic): string {
  const { level, code, message, file, line, column, enclosing, text, label, count } = diagnostic;
  const lines = [`${level}${code === undefined ? "" : `[${code}]`}: ${message}`];
  if (file !== undefined) {
    const item = enclosing === undefined ? "" : ` in ${enclosing}`;
    const times = count > 1 ? ` (${count} times)` : "";
    lines.push(`  at ${file}:${line}:${column}${item}${times}`);
  }
  if (text !== undefined) lines.push(indent(label === undefined ? text : `${text} ${label}`, 4));
  else if (label !== undefined) lines.push(`    ${label}`);
  for (const place of diagnostic.related) lines.push(`  ${at(place)}: ${place.label ?? ""}`);
  for (const note of diagnostic.notes) lines.push(indent(note, 2));
  for (const suggestion of diagnostic.suggestions) lines.push(indent(fix(suggestion), 2));
  return lines.join("\n");
}

function fix(suggestion: Suggestion): string {
  const { message, replacement, applicability, line, column, endLine, endColumn } = suggestion;
  const isEmpty = line === endLine && column === endColumn;
  const range = line === endLine ? `${endColumn}` : `${endLine}:${endColumn}`;
  const what = replacement === ""
    ? `delete ${at(suggestion)}-${range}`
    : isEmpty
    ? `insert ${JSON.stringify(replacement)} at ${at(suggestion)}`
    : `put ${JSON.stringify(replacement)} for ${at(suggestion)}-${range}`;
  const sure = applicability === "MachineApplicable" ? "" : " (may need a look)";
  return `fix: ${message}: ${what}${sure}`;
}

function at(place: SourcePlace): string {
  return `${place.file}:${place.line}:${place.column}`;
}

function indent(text: string, by: number): string {
  const gap = " ".repeat(by);
  return gap + text.replaceAll("\n", "\n" + gap);
}
