import { parse, TomlError } from "smol-toml";
import { errorMessage } from "../base/errors.ts";
import { makeVisible } from "../base/text.ts";
import { Redactor } from "../security/redactor.ts";
import { ConfigError } from "./config_error.ts";
import type { TomlTable } from "./schema_scalars.ts";

/** Deeper nesting has no use, and every walk over the result recurses. */
const MAX_DEPTH = 64;

/** Characters shown of a line, around the place that is wrong. */
const SHOWN_UNITS = 100;

/**
 * Parses a TOML document.
 *
 * @param file Where it comes from, for the error.
 * @throws {ConfigError} `config_syntax`, with the line and a caret; secrets in it are masked.
 */
export function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text, { maxDepth: MAX_DEPTH });
  } catch (cause) {
    throw syntaxError(cause, { text, file });
  }
}

function syntaxError(
  cause: unknown,
  { text, file }: { text: string; file: string },
): ConfigError {
  if (!(cause instanceof TomlError)) {
    return new ConfigError("config_syntax", `Cannot read "${file}": ${errorMessage(cause)}`, {
      file,
      cause,
    });
  }
  const { line, column } = cause;
  const [summary = ""] = cause.message.split("\n");
  const reason = summary.replace(/^Invalid TOML document: /, "");
  const source = text.split(/\r?\n/)[line - 1] ?? "";
  return new ConfigError(
    "config_syntax",
    `Cannot read "${file}", line ${line}, column ${column}: ${reason}\n` +
      shownLine(source, { line, column }),
    // The error of the parser quotes the lines as they are, so it is no cause to keep.
    { file, data: { line, column } },
  );
}

function shownLine(source: string, { line, column }: { line: number; column: number }): string {
  const label = `  ${line} | `;
  const start = Math.max(0, Math.min(column - 1 - SHOWN_UNITS / 2, source.length - SHOWN_UNITS));
  const shown = source.slice(start, start + SHOWN_UNITS);
  // As a whole, because the cut could hide a secret from the redactor.
  const masked = new Redactor().redact(source);
  if (masked !== source) return `${label}${makeVisible(masked.slice(0, SHOWN_UNITS))}`;
  const before = makeVisible(source.slice(start, column - 1)).replace(/[^\t]/g, " ");
  return `${label}${makeVisible(shown)}\n${" ".repeat(label.length)}${before}^`;
}
