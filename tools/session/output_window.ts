import { headUnits, utf8Length } from "../../core/base/text.ts";

/** One row of an output with its number, from 1. */
export interface OutputRow {
  readonly number: number;
  readonly text: string;
}

/** The first rows that fit a bound, line breaks included; at least one, cut if it must be. */
export function rowsThatFit(
  rows: readonly OutputRow[],
  options: { readonly maxBytes: number },
): readonly OutputRow[] {
  let bytes = 0;
  let count = 0;
  for (const { text } of rows) {
    bytes += utf8Length(text) + 1;
    if (bytes > options.maxBytes) break;
    count += 1;
  }
  const [first] = rows;
  if (count > 0 || first === undefined) return rows.slice(0, count);
  // A UTF-16 unit has at most three bytes of UTF-8.
  const units = Math.max(1, Math.floor(options.maxBytes / 3));
  return [{ ...first, text: headUnits(first.text, units) }];
}
