import { makeVisible } from "../base/text.ts";
import { type HistoryItem, historyLines, historyOf } from "../../sessions/history.ts";
import type { Session } from "../../sessions/session.ts";
import { historyOptions } from "../agent/conversation_record.ts";

/** What `rho sessions show` tells of one session. */
export interface SessionFacts {
  readonly id: string;
  readonly path: string;
  readonly title: string | null;
  readonly cwd: string;
  readonly createdAtSecs: number;
  readonly entryCount: number;
  readonly parentSession: string | null;
  readonly cursors: readonly {
    readonly id: string;
    readonly name?: string;
    readonly leaf: string | null;
    readonly active: boolean;
  }[];
  readonly tokens: number;
  readonly cost: number;
  readonly costIncomplete: boolean;
  readonly recovered?: { readonly badLines: number; readonly tornBytes: number };
  readonly history: readonly HistoryItem[];
}

/** The facts of a session, every text masked. */
export function sessionFacts(session: Session, path: string): SessionFacts {
  const { redact } = session.log;
  const { recovered, totals, header } = session;
  return {
    id: session.id,
    path,
    title: session.title === null ? null : redact(session.title),
    cwd: header.cwd,
    createdAtSecs: header.created_at_secs,
    entryCount: session.entries.length,
    parentSession: header.parent_session,
    cursors: session.cursors().map((cursor) =>
      cursor.name === undefined ? cursor : { ...cursor, name: redact(cursor.name) }
    ),
    tokens: totals.totalTokens,
    cost: totals.cost,
    costIncomplete: totals.costIncomplete,
    ...(recovered === undefined ? {} : { recovered }),
    history: historyOf(session.livePath, historyOptions(session)),
  };
}

/** A session as a page for a person. */
export function sessionPage(session: Session, path: string): string {
  const facts = sessionFacts(session, path);
  const branches = facts.cursors.map(({ id, name, active }) =>
    `${id}${name === undefined ? "" : ` "${name}"`}${active ? " (active)" : ""}`
  );
  const rows = [
    ["session", facts.id],
    ["title", facts.title ?? "(none)"],
    ["folder", facts.cwd],
    ["file", facts.path],
    ["started", new Date(facts.createdAtSecs * 1000).toISOString()],
    ["entries", String(facts.entryCount)],
    ["branches", branches.join(", ")],
    ["tokens", String(facts.tokens)],
    ["cost", `${facts.costIncomplete ? "at least " : ""}$${facts.cost.toFixed(4)}`],
    ...(facts.parentSession === null ? [] : [["goes on from", facts.parentSession]]),
  ];
  const head = rows.map(([name = "", value = ""]) => `${`${name}:`.padEnd(14)}${value}`);
  const items = facts.history.map((item, index) =>
    `${index + 1}. ${historyLines(item).join("\n   ")}`
  );
  return makeVisible([...head, "", ...items, ""].join("\n"));
}
