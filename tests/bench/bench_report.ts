/** One figure of the bench: what was measured, against what. */
export interface BenchRow {
  readonly name: string;
  /** The measured value, with its unit in the name or in `unit`. */
  readonly value: number;
  readonly unit: string;
  /** What it is held against in the same run, same unit. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** The budget, in `unit`, or for the ratio when `budgetOf` says so. */
  readonly budget?: number;
  readonly budgetOf?: "value" | "ratio";
  /** How cost grows with work: 1 is linear. */
  readonly exponent?: number;
}

/** The median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? sorted[middle] ?? NaN
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The growth exponent between a run with n and one with 10n pieces of work. */
export function growthExponent(small: number, tenTimes: number): number {
  return Math.log10(tenTimes / small);
}

/** Rows as a table for people. */
export function benchTable(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => [
    row.name,
    `${format(row.value)} ${row.unit}`,
    row.baseline === undefined
      ? ""
      : `${format(row.value / row.baseline.value)}× ${row.baseline.name}`,
    row.exponent === undefined ? "" : `n^${row.exponent.toFixed(2)}`,
    budgetText(row),
  ]);
  const all = [["what", "median", "ratio", "growth", "budget"], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...all.map((line) => (line[column] ?? "").length))
  );
  return all.map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  ).join("\n");
}

function budgetText(row: BenchRow): string {
  if (row.budget === undefined) return "";
  const isRatio = row.budgetOf === "ratio";
  const measured = isRatio ? row.value / (row.baseline?.value ?? NaN) : row.value;
  const verdict = measured <= row.budget ? "met" : "missed";
  return `≤ ${row.budget}${isRatio ? "×" : ` ${row.unit}`} ${verdict}`;
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
