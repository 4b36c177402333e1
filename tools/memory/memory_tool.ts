import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { errorMessage, unreachable } from "../../core/base/errors.ts";
import { headUnits } from "../../core/base/text.ts";
import { frame } from "../framing.ts";
import { type Tool, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { openMemoryDatabase } from "./memory_database.ts";
import { MemoryError } from "./memory_error.ts";
import { MemoryStore } from "./memory_store.ts";
import { documentText, hitsText, listText, statsText } from "./memory_text.ts";

/** Options of {@linkcode createMemoryTool}. */
export interface MemoryToolOptions {
  /** The database, an absolute path; it is opened at the first call. */
  readonly path: string;
  /** Masks secrets in everything that is stored. */
  readonly redact: (text: string) => string;
}

/** The memory tool; close it before rho ends. */
export interface MemoryTool extends Tool<MemoryArgs> {
  /** Closes the database; a later call opens it again. Never throws. */
  close(): void;
}

const READS = ["search", "get", "list", "stats"] as const;
const WRITES = ["add", "update", "delete", "restore"] as const;
const DEFAULT_LIMIT = 10;
const MAX_BODY_UNITS = 100_000;
const MAX_TAGS = 20;

const SCHEMA = v.object({
  action: v.pipe(
    v.picklist([...READS, ...WRITES]),
    v.description("add: title, body, tags; search: query; get, update, delete, restore: id"),
  ),
  id: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 53 - 1))),
  title: v.optional(v.string()),
  body: v.optional(v.string()),
  tags: v.optional(
    v.pipe(v.array(v.string()), v.description("Labels; search and list keep those with all")),
  ),
  query: v.optional(v.pipe(v.string(), v.description("Words, in any order"))),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50))),
});

/** The arguments of `memory`. */
export type MemoryArgs = v.InferOutput<typeof SCHEMA>;

/** The `memory` tool: what was learned about a project, kept for later sessions. */
export function createMemoryTool(options: MemoryToolOptions): MemoryTool {
  let opening: Promise<DatabaseSync> | undefined;
  let opened: DatabaseSync | undefined;
  const store = async (): Promise<MemoryStore> => {
    opening ??= openMemoryDatabase(options).then((db) => opened = db);
    try {
      return new MemoryStore(await opening);
    } catch (thrown) {
      opening = undefined;
      throw thrown;
    }
  };
  return {
    name: "memory",
    description: "Keeps knowledge about this project for later sessions: decisions, conventions, " +
      'pitfalls. Search it before you ask. Example: {"action": "add", "title": "Release", ' +
      '"body": "Tag, then run release.sh", "tags": ["ci"]}',
    schema: SCHEMA,
    risk: ({ action }) => WRITES.some((name) => name === action) ? "write" : "read",
    highestRisk: "write",
    source: "builtin",
    execute: (args, { maxOutputBytes }) =>
      withFailures(async () => {
        try {
          const given = { ...args, ...cleaned(args, options.redact) };
          return await perform(given, { store: await store(), maxOutputBytes });
        } catch (thrown) {
          throw thrown instanceof MemoryError ? thrown : databaseFailure(thrown, options.path);
        }
      }),
    close: () => {
      opening = undefined;
      try {
        opened?.close();
      } catch {
        // Closed already; every change was committed when its call ended.
      }
      opened = undefined;
    },
  };
}

async function perform(
  args: MemoryArgs,
  at: { readonly store: MemoryStore; readonly maxOutputBytes: number },
): Promise<ToolResult> {
  const { store } = at;
  const maxUnits = Math.floor(at.maxOutputBytes * 0.8);
  const choice = { tags: args.tags ?? [], limit: args.limit ?? DEFAULT_LIMIT };
  switch (args.action) {
    case "add": {
      const { title = "", body = "" } = args;
      if (title === "" || body === "") {
        throw new MemoryError('Cannot add a document: give "title" and "body", neither blank');
      }
      const { id, outcome } = await store.add({ title, body, tags: args.tags ?? [] });
      if (outcome === "added") return toolSuccess(`Added as document ${id}.`);
      return toolSuccess(
        outcome === "known"
          ? `Document ${id} has this text already; nothing was added. Use "update" to change it.`
          : `Document ${id} had this text and was deleted; it is restored with this title.`,
      );
    }
    case "search": {
      const hits = store.search(args.query ?? "", choice);
      return hits.length === 0
        ? toolSuccess("No document matches. Try fewer or other words.")
        : framed(hitsText(hits), maxUnits);
    }
    case "list": {
      const documents = store.list(choice);
      return documents.length === 0
        ? toolSuccess("There are no such documents.")
        : framed(listText(documents), maxUnits);
    }
    case "get": {
      const id = needId(args);
      const document = store.get(id);
      return document === undefined
        ? toolFailure(`There is no document ${id}; find it with action "search" or "list"`)
        : framed(documentText(document), maxUnits);
    }
    case "update": {
      const id = needId(args);
      const { title, body, tags } = args;
      if (title === undefined && body === undefined && tags === undefined) {
        throw new MemoryError('Cannot update with nothing: give "title", "body" or "tags"');
      }
      if (title === "" || body === "") throw new MemoryError("Cannot make a text blank: delete it");
      await store.update(id, {
        ...(title === undefined ? {} : { title }),
        ...(body === undefined ? {} : { body }),
        ...(tags === undefined ? {} : { tags }),
      });
      return toolSuccess(`Changed document ${id}.`);
    }
    case "delete": {
      const id = needId(args);
      if (store.delete(id)) return toolSuccess(`Deleted document ${id}; "restore" brings it back.`);
      return toolFailure(`There is no document ${id} to delete, or it is deleted already`);
    }
    case "restore": {
      const id = needId(args);
      store.restore(id);
      return toolSuccess(`Restored document ${id}.`);
    }
    case "stats":
      return framed(statsText(store.stats()), maxUnits);
    default:
      return unreachable(args.action);
  }
}

function framed(text: string, maxUnits: number): ToolResult {
  const shown = headUnits(text, maxUnits);
  const rest = text.length - shown.length;
  const note = rest > 0 ? `\n${rest} more characters are not shown; give a smaller "limit".` : "";
  return toolSuccess(frame({ source: "memory" }, shown) + note);
}

function needId(args: MemoryArgs): number {
  if (args.id !== undefined) return args.id;
  throw new MemoryError(`Cannot ${args.action} a document without "id"; "search" shows ids`);
}

/** What is stored: no secrets, no NUL (SQLite would end the text there), no half characters. */
function cleaned(args: MemoryArgs, redact: (text: string) => string): Partial<MemoryArgs> {
  const clean = (text: string) => redact(text.replaceAll("\0", "").toWellFormed()).trim();
  const { title, body, tags } = args;
  if (body !== undefined && body.length > MAX_BODY_UNITS) {
    throw new MemoryError(
      `Cannot store ${body.length} characters: a document has at most ${MAX_BODY_UNITS}; ` +
        "keep what matters, or split it",
    );
  }
  if (tags !== undefined && tags.length > MAX_TAGS) {
    throw new MemoryError(`Cannot store ${tags.length} tags: at most ${MAX_TAGS}`);
  }
  const labels = tags?.map((tag) => headUnits(clean(tag).toLowerCase(), 50))
    .filter((tag) => tag !== "");
  return {
    ...(title === undefined
      ? {}
      : { title: headUnits(clean(title).replace(/\s+/g, () => " "), 200) }),
    ...(body === undefined ? {} : { body: clean(body) }),
    ...(labels === undefined ? {} : { tags: [...new Set(labels)] }),
  };
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

function databaseFailure(thrown: unknown, path: string): MemoryError {
  const code = thrown instanceof Error && "errcode" in thrown ? Number(thrown.errcode) & 0xff : 0;
  const reason = code === SQLITE_BUSY
    ? "another process holds it; try again"
    : code === SQLITE_CORRUPT || code === SQLITE_NOTADB
    ? "it is damaged or no database; move it away to start anew"
    : errorMessage(thrown);
  return new MemoryError(`Cannot use "${path}" as memory: ${reason}`, { cause: thrown });
}
