import {
  isWholeObject,
  type OpenCall,
  type ToolCallAssembler,
} from "../stream/tool_call_assembler.ts";

/** One delta of a tool call with its odd shapes evened out. */
interface CallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** The key of the one call that the legacy `function_call` field can hold. */
const LEGACY_INDEX = -1;

/**
 * Finds the call that a delta belongs to: by `index`, else by `id`, else the latest one. A new id
 * starts a new call, and so does a second whole call under the same key. Calls are never told
 * apart, or taken for one, by what they say.
 */
export class ToolCallMatcher {
  readonly #calls: ToolCallAssembler;
  readonly #toolNames: ReadonlySet<string>;
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  /** The calls that got a name from the chunk at hand. */
  readonly #named = new Set<OpenCall>();

  constructor(calls: ToolCallAssembler, toolNames: ReadonlySet<string>) {
    this.#calls = calls;
    this.#toolNames = toolNames;
  }

  /** Takes the `tool_calls` of one chunk. */
  push(deltas: readonly unknown[]): void {
    this.#named.clear();
    for (const wire of deltas) {
      if (typeof wire === "object" && wire !== null) {
        this.#take(callDelta(wire as Record<string, unknown>));
      }
    }
  }

  /** Takes a legacy `function_call`. */
  pushLegacy(wire: unknown): void {
    this.#named.clear();
    this.#take(callDelta({ index: LEGACY_INDEX, function: wire }));
  }

  #take(delta: CallDelta): void {
    let call = this.#find(delta);
    if (call === undefined || this.#startsAnew(call, delta)) call = this.#calls.open(delta.id);
    if (delta.index !== undefined) this.#byIndex.set(delta.index, call);
    if (delta.id !== undefined) {
      call.wireId ??= delta.id;
      this.#byId.set(delta.id, call);
    }
    if (delta.name !== "") {
      this.#named.add(call);
      this.#calls.addName(call, delta.name);
    }
    this.#calls.addArguments(call, delta.arguments);
  }

  #find({ index, id, name }: CallDelta): OpenCall | undefined {
    if (index !== undefined && this.#byIndex.has(index)) return this.#byIndex.get(index);
    if (id !== undefined && this.#byId.has(id)) {
      // Under another index it is another call that only shares the id.
      return index === undefined ? this.#byId.get(id) : undefined;
    }
    if (index !== undefined) return undefined;
    const { latest } = this.#calls;
    if (id === undefined) return latest;
    return latest !== undefined && latest.wireId === undefined && name === "" ? latest : undefined;
  }

  #startsAnew(call: OpenCall, { index, id, name, arguments: args }: CallDelta): boolean {
    const otherId = id !== undefined && call.wireId !== undefined && id !== call.wireId;
    if (otherId) return true;
    if (name === "" || call.name === "") return false;
    if (this.#named.has(call)) return true;
    const pinned = index !== undefined && id !== undefined && call.wireId === id;
    if (pinned) return false;
    if (args.trimStart().startsWith("{") && isWholeObject(call.arguments)) return true;
    return id === undefined && name !== call.name && !name.startsWith(call.name) &&
      this.#toolNames.has(call.name) && this.#toolNames.has(name) &&
      !this.#toolNames.has(call.name + name);
  }
}

function callDelta(wire: Record<string, unknown>): CallDelta {
  const inner = wire["function"];
  const source = typeof inner === "object" && inner !== null
    ? inner as Record<string, unknown>
    : wire;
  const { index, id } = wire;
  const { name, arguments: args } = source;
  return {
    index: typeof index === "number" ? index : undefined,
    id: typeof id === "string" && id !== "" ? id : undefined,
    name: typeof name === "string" ? name : "",
    arguments: typeof args === "string"
      ? args
      : typeof args === "object" && args !== null
      ? JSON.stringify(args)
      : "",
  };
}
