import { newUuid } from "../../base/ids.ts";
import type { StreamEvent } from "../types.ts";

/** A call in the making. */
export interface OpenCall {
  /** Unique within the conversation; the server's own where it can be. */
  readonly id: string;
  /** The id as the server said it, once it did. */
  wireId: string | undefined;
  name: string;
  arguments: string;
  /** Whether `tool_call_start` was sent. */
  announced: boolean;
}

/** Options of {@linkcode ToolCallAssembler}. */
export interface ToolCallAssemblerOptions {
  /** Where events go. */
  readonly out: StreamEvent[];
  /** Names of the tools that were offered: they tell a name in pieces from a repeated one. */
  readonly toolNames: ReadonlySet<string>;
  /** Ids that the conversation has used already. */
  readonly usedIds: ReadonlySet<string>;
}

/** How a reply ended, as far as its calls are concerned. */
export type CallEnding =
  /** The server said that the reply is complete. */
  | "complete"
  /** The end mark came but no finish reason: calls that are whole count. */
  | "unconfirmed"
  /** The output limit or a lost end: only calls that cannot go on count. */
  | "cut";

const MAX_ID_UNITS = 256;

/** Puts tool calls together and announces them; which delta belongs to which call, others decide. */
export class ToolCallAssembler {
  readonly #options: ToolCallAssemblerOptions;
  readonly #calls: OpenCall[] = [];
  readonly #ids = new Set<string>();

  constructor(options: ToolCallAssemblerOptions) {
    this.#options = options;
  }

  /** How many calls have begun. */
  get count(): number {
    return this.#calls.length;
  }

  /** The call begun last. */
  get latest(): OpenCall | undefined {
    return this.#calls.at(-1);
  }

  /** Whether a call never got its name. */
  get hasNameless(): boolean {
    return this.#calls.some(({ name }) => cleanName(name) === "");
  }

  /** Begins a call. A missing, odd or used id is replaced by one of our own. */
  open(wireId?: string): OpenCall {
    const call: OpenCall = {
      id: this.#uniqueId(wireId),
      wireId,
      name: "",
      arguments: "",
      announced: false,
    };
    this.#calls.push(call);
    return call;
  }

  /** Takes a name: the whole, a repeat of it, or its next piece while no arguments have come. */
  addName(call: OpenCall, piece: string): void {
    if (piece === "" || call.announced) return;
    if (call.name === "") call.name = piece;
    else if (call.arguments !== "") return;
    else if (piece !== call.name || this.#continuesName(call.name + piece)) {
      const longer = piece !== call.name && piece.startsWith(call.name) ? piece : call.name + piece;
      if (!this.#options.toolNames.has(call.name) || this.#continuesName(longer)) {
        call.name = longer;
      }
    }
    if (call.arguments !== "" || this.#isSettled(call.name)) this.#announce(call);
  }

  /** Takes the next piece of the arguments. */
  addArguments(call: OpenCall, delta: string): void {
    if (delta === "") return;
    call.arguments += delta;
    if (call.announced) {
      this.#options.out.push({ type: "tool_call_delta", id: call.id, delta });
    } else if (call.name !== "") this.#announce(call);
  }

  /** Takes the arguments as a whole, which outweigh what the deltas said. */
  setArguments(call: OpenCall, whole: string): void {
    if (whole.startsWith(call.arguments)) {
      this.addArguments(call, whole.slice(call.arguments.length));
    } else call.arguments = whole;
  }

  /**
   * Sends every call that may run, once.
   *
   * @returns the names of calls that were left out because they are cut; `""` for a nameless one.
   */
  finish(ending: CallEnding): string[] {
    const left: string[] = [];
    for (const call of this.#calls) {
      const name = cleanName(call.name);
      if (name === "" || !mayRun(call.arguments, ending)) {
        left.push(name);
        continue;
      }
      this.#announce(call);
      const blank = isBlank(call.arguments);
      this.#options.out.push({
        type: "tool_call",
        call: { id: call.id, name, arguments: blank ? "{}" : call.arguments },
      });
    }
    this.#calls.length = 0;
    return left;
  }

  #announce(call: OpenCall): void {
    const name = cleanName(call.name);
    if (call.announced || name === "") return;
    call.announced = true;
    this.#options.out.push({ type: "tool_call_start", id: call.id, name });
    if (call.arguments !== "") {
      this.#options.out.push({ type: "tool_call_delta", id: call.id, delta: call.arguments });
    }
  }

  #isSettled(name: string): boolean {
    if (!this.#options.toolNames.has(name)) return false;
    for (const known of this.#options.toolNames) {
      if (known.length > name.length && known.startsWith(name)) return false;
    }
    return true;
  }

  #continuesName(name: string): boolean {
    for (const known of this.#options.toolNames) if (known.startsWith(name)) return true;
    return false;
  }

  #uniqueId(wireId: string | undefined): string {
    const { usedIds } = this.#options;
    let id = wireId;
    while (
      id === undefined || id === "" || id.length > MAX_ID_UNITS || this.#ids.has(id) ||
      usedIds.has(id)
    ) id = `call_${newUuid().replaceAll("-", "").slice(0, 16)}`;
    this.#ids.add(id);
    return id;
  }
}

/** Whether a text is a whole JSON object, which nothing that follows can be part of. */
export function isWholeObject(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function mayRun(args: string, ending: CallEnding): boolean {
  switch (ending) {
    case "complete":
      return true;
    case "unconfirmed":
      return isBlank(args) || isWholeObject(args);
    case "cut":
      return isWholeObject(args);
  }
}

function isBlank(args: string): boolean {
  const text = args.trim();
  return text === "" || text === "null";
}

/** A name without the control tokens that leak into it, such as `read<|channel|>commentary`. */
function cleanName(name: string): string {
  const at = name.indexOf("<|");
  return (at < 0 ? name : name.slice(0, at)).trim();
}
