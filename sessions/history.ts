import { headUnits } from "../core/base/text.ts";
import { type Entry, RHO_KINDS, type StoredMessage } from "./entry.ts";
import { isRecord, parseJson, stringField } from "./json_value.ts";

/** The tools that a request made the model call. */
export interface HistoryCalls {
  readonly name: string;
  readonly count: number;
  /** How many of them came back with an error. */
  readonly failed: number;
}

/** One request and what came of it. */
export interface HistoryItem {
  /** What was asked, on one line, bounded. */
  readonly request: string;
  /** How it ended: the last reply, or why there is none; on one line, bounded. */
  readonly outcome: string;
  /** In the order of their first call. */
  readonly calls: readonly HistoryCalls[];
  /** Paths that were written or edited, in order, each once. */
  readonly changedFiles: readonly string[];
}

/** Options of {@linkcode historyOf}. */
export interface HistoryOptions {
  /** User messages that nobody asked: what rho itself tells the model. */
  readonly ignore?: ReadonlySet<string>;
  /** Masks secrets; it sees the texts whole, before their lines are joined and cut. */
  readonly redact: (text: string) => string;
}

/** The most of one request or outcome that is shown, in UTF-16 units. */
const MAX_SHOWN_UNITS = 300;

/** Tools whose `path` argument names a file that they change. */
const CHANGING_TOOLS: ReadonlySet<string> = new Set(["write_file", "edit_file"]);

/** What was asked on a path and what came of it, oldest first. Nothing of it needs a model. */
export function historyOf(path: readonly Entry[], options: HistoryOptions): HistoryItem[] {
  const items: ItemBuilder[] = [];
  for (const { payload } of path) {
    if (payload.type === "Message") {
      const { message } = payload;
      if (message.role !== "user") items.at(-1)?.add(message);
      else if (options.ignore?.has(message.content) !== true) {
        items.push(new ItemBuilder(message.content, options.redact));
      }
    } else if (payload.type === "Custom" && payload.kind === RHO_KINDS.turnError) {
      items.at(-1)?.fail(payload.data);
    }
  }
  return items.map((item) => item.build());
}

class ItemBuilder {
  readonly #request: string;
  readonly #redact: (text: string) => string;
  readonly #calls = new Map<string, { count: number; failed: number }>();
  /** Calls that wait for their result, by id. */
  readonly #open = new Map<string, { readonly name: string; readonly path?: string }>();
  readonly #changed = new Set<string>();
  #outcome: string | undefined;

  constructor(request: string, redact: (text: string) => string) {
    this.#request = request;
    this.#redact = redact;
  }

  add(message: StoredMessage): void {
    if (message.role === "assistant") {
      if (message.content.trim() !== "") {
        const mark = message.partial === undefined ? "" : `(${message.partial}) `;
        this.#outcome = `${mark}${message.content}`;
      }
      for (const { id, function: { name, arguments: text } } of message.tool_calls ?? []) {
        const count = this.#calls.get(name) ?? { count: 0, failed: 0 };
        count.count += 1;
        this.#calls.set(name, count);
        this.#open.set(id, { name, ...pathOf(name, text) });
      }
    } else if (message.role === "tool") this.#answer(message.tool_call_id, message.is_error);
  }

  fail(data: unknown): void {
    if (!isRecord(data)) return;
    const code = stringField(data, "code") ?? "error";
    this.#outcome = `failed (${code}): ${stringField(data, "message") ?? ""}`;
  }

  build(): HistoryItem {
    return {
      request: oneLine(this.#redact(this.#request)),
      outcome: oneLine(this.#redact(this.#outcome ?? "no answer")),
      calls: [...this.#calls].map(([name, counts]) => ({ name, ...counts })),
      changedFiles: [...this.#changed].map(this.#redact),
    };
  }

  #answer(callId: string, isError: boolean | undefined): void {
    const call = this.#open.get(callId);
    if (call === undefined) return;
    this.#open.delete(callId);
    const counts = this.#calls.get(call.name);
    if (isError === true) {
      if (counts !== undefined) counts.failed += 1;
    } else if (call.path !== undefined) this.#changed.add(call.path);
  }
}

function pathOf(name: string, argumentsText: string): { readonly path?: string } {
  if (!CHANGING_TOOLS.has(name)) return {};
  const value = parseJson(argumentsText);
  const path = isRecord(value) ? stringField(value, "path") : undefined;
  return path === undefined ? {} : { path };
}

/** A text on one line, bounded. */
function oneLine(text: string, maxUnits: number = MAX_SHOWN_UNITS): string {
  // What lies far behind the bound is not even looked at: a text may have megabytes.
  const start = headUnits(text, maxUnits * 4).split(/\s+/).filter((word) => word !== "").join(" ");
  const head = headUnits(start, maxUnits);
  return head.length < start.length || text.length > maxUnits * 4 ? `${head}…` : head;
}

/** One item as lines for a person or a model, without its number. */
export function historyLines(item: HistoryItem): string[] {
  const { request, outcome, calls, changedFiles } = item;
  const tools = calls.map(({ name, count, failed }) =>
    `${name} ×${count}${failed === 0 ? "" : ` (${failed} failed)`}`
  );
  return [
    request,
    ...(tools.length === 0 ? [] : [`tools: ${tools.join(", ")}`]),
    ...(changedFiles.length === 0 ? [] : [`changed: ${changedFiles.join(", ")}`]),
    `outcome: ${outcome}`,
  ];
}
