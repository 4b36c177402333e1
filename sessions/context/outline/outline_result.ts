import { clipLine, clipMiddle } from "./clip.ts";
import { outlineCargo } from "./cargo_outline.ts";
import { outlineCommand } from "./command_outline.ts";
import { outlineEdit, outlineWrite } from "./edit_outline.ts";
import { outlineGeneric } from "./generic_outline.ts";
import type { OutlineFormatter, OutlineInput, ResultOutline } from "./outline_input.ts";
import { outlineBatchRead, outlineRead } from "./read_outline.ts";
import { outlineListing, outlineSearch } from "./search_outline.ts";

/** The formatter of each tool that has one of its own. */
const FORMATTERS: Readonly<Record<string, OutlineFormatter>> = {
  read_file: outlineRead,
  batch_read: outlineBatchRead,
  edit_file: outlineEdit,
  write_file: outlineWrite,
  list_dir: outlineListing,
  find_files: outlineListing,
  search_files: outlineSearch,
  run_command: outlineCommand,
  wait_for: outlineCommand,
  cargo_check: outlineCargo,
  cargo_clippy: outlineCargo,
  cargo_test: outlineCargo,
  cargo_fix: outlineCargo,
};

/** An outline has at most this part of the whole text, and this many units whatever that is. */
const OUTLINE_PART = 0.2;
const MIN_OUTLINE_UNITS = 480;
const MAX_OUTLINE_UNITS = 4000;
/** The longest one-line summary. */
const MAX_SUMMARY_UNITS = 240;

/** What is left of a tool's result at the lower resolutions. The same result, the same bytes. */
export function outlineResult(input: OutlineInput): ResultOutline {
  const format = Object.hasOwn(FORMATTERS, input.name) ? FORMATTERS[input.name] : undefined;
  const { outline, summary } = (format ?? outlineGeneric)(input);
  const maxUnits = Math.min(
    MAX_OUTLINE_UNITS,
    Math.max(MIN_OUTLINE_UNITS, Math.floor(input.content.length * OUTLINE_PART)),
  );
  return {
    outline: clipMiddle(outline, { maxUnits, headPart: 0.6 }),
    summary: clipLine(summary, MAX_SUMMARY_UNITS),
  };
}

const MIN_TEXT_UNITS = 320;

/** What is left of something that was said: its start and its end, or one line of it. */
export function outlineText(text: string): ResultOutline {
  const maxUnits = Math.max(MIN_TEXT_UNITS, Math.floor(text.length * OUTLINE_PART));
  return {
    outline: clipMiddle(text, { maxUnits, headPart: 0.7 }),
    summary: clipLine(text, MAX_SUMMARY_UNITS - 80),
  };
}
