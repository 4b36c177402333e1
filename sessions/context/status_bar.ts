/** How full a context is, in three steps. */
export type StatusLevel = "green" | "yellow" | "red";

/** What the status line shows, in tokens. */
export interface StatusFacts {
  readonly used: number;
  readonly contextWindow: number;
  readonly remaining: number;
  readonly utilizationPercent: number;
  readonly messageCount: number;
}

const CELLS = 20;

/** The ready-made line for a status bar. */
export function statusBar(facts: StatusFacts): string {
  const filled = Math.min(CELLS, Math.round(facts.utilizationPercent / 100 * CELLS));
  const bar = "█".repeat(filled) + "░".repeat(CELLS - filled);
  const messages = facts.messageCount === 1 ? "1 message" : `${facts.messageCount} messages`;
  return `[${bar}] ${short(facts.used)}/${short(facts.contextWindow)} tokens ` +
    `(${facts.utilizationPercent}%) │ ${short(facts.remaining)} remaining │ ${messages}`;
}

/** Green below 60 %, red above 80 %, yellow between. */
export function statusLevel(utilizationPercent: number): StatusLevel {
  if (utilizationPercent < 60) return "green";
  return utilizationPercent <= 80 ? "yellow" : "red";
}

function short(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  // Windows are powers of two, and people know them by their round names.
  if (tokens % 1024 === 0) return `${tokens / 1024}k`;
  const thousands = tokens / 1000;
  return `${thousands >= 1000 ? thousands.toFixed(0) : thousands.toFixed(1)}k`;
}
