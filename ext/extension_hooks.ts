import type {
  AgentHooks,
  CallIntervention,
  HookedCall,
  HookedResult,
  HookOptions,
  TurnPlace,
} from "../core/agent/agent_hooks.ts";
import type { TurnResult } from "../core/agent/events.ts";
import { errorMessage } from "../core/base/errors.ts";
import type { Logger } from "../core/base/log.ts";
import type { LlmMessage } from "../core/llm/types.ts";
import type { HookName } from "./manifest.ts";
import type { CallRequest } from "./supervise/extension_unit.ts";

/** What hooks run on. */
export interface ExtensionHooksOptions {
  /** The extensions that have a hook, in load order. */
  readonly having: (hook: HookName) => readonly string[];
  readonly call: (extension: string, request: CallRequest) => Promise<string>;
  /** Whether a call is blocked whose hook failed. */
  readonly blockOnError: boolean;
  /** Resolves when no reload is under way. */
  readonly settled: () => Promise<void>;
  /** Appends messages of extensions that wait for a place. */
  readonly flush: () => Promise<void>;
  readonly logger: Logger;
}

/** The longest that one hook may take, in milliseconds. */
export const HOOK_TIMEOUT_MS = 5_000;

/** What one extension's hook came to. */
type HookOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** The hooks of all extensions as one, in load order. Never throws. */
export class ExtensionHooks implements AgentHooks {
  readonly #options: ExtensionHooksOptions;

  constructor(options: ExtensionHooksOptions) {
    this.#options = options;
  }

  async onSessionStart(place: TurnPlace, options: HookOptions): Promise<void> {
    await this.#tell("onSessionStart", place, options.signal);
  }

  async onTurnStart(place: TurnPlace, options: HookOptions): Promise<void> {
    // What a turn begins with, it keeps to its end.
    await this.#options.settled();
    await this.#tell("onTurnStart", place, options.signal);
  }

  async onTurnEnd(end: TurnPlace & { result?: TurnResult; error?: string }): Promise<void> {
    await this.#tell("onTurnEnd", end, undefined);
    await this.onIteration();
  }

  async onIteration(): Promise<void> {
    try {
      await this.#options.flush();
    } catch (error) {
      this.#options.logger.warn(`Cannot add an extension's message: ${errorMessage(error)}`);
    }
  }

  async onBeforeModel(
    messages: readonly LlmMessage[],
    { signal }: HookOptions,
  ): Promise<string | undefined> {
    const notes: string[] = [];
    for (const extension of this.#options.having("onBeforeModel")) {
      const outcome = await this.#run(extension, "onBeforeModel", {
        payload: { messages },
        signal,
      });
      const append = outcome.ok ? fieldOf(outcome.value, "append") : undefined;
      if (typeof append === "string" && append !== "") notes.push(append);
    }
    return notes.length === 0 ? undefined : notes.join("\n\n");
  }

  async onToolCall(call: HookedCall, { signal }: HookOptions): Promise<CallIntervention> {
    let current = call.arguments;
    for (const extension of this.#options.having("onToolCall")) {
      const { toolName, callId } = call;
      // A module cannot take a name `arguments` out of an object: `args` is the same text.
      const payload = { toolName, arguments: current, args: current, callId };
      const outcome = await this.#run(extension, "onToolCall", { payload, signal });
      if (!outcome.ok) {
        if (!this.#options.blockOnError) continue;
        return { type: "block", reason: `the hook of "${extension}" failed: ${outcome.reason}` };
      }
      const action = fieldOf(outcome.value, "action");
      if (action === "block") {
        const reason = fieldOf(outcome.value, "reason");
        const text = typeof reason === "string" && reason !== "" ? reason : "no reason given";
        return { type: "block", reason: `the extension "${extension}" blocked it: ${text}` };
      }
      if (action === "modify") {
        const changed = fieldOf(outcome.value, "arguments");
        current = typeof changed === "string" ? changed : JSON.stringify(changed ?? {});
      } else if (action !== undefined) this.#complain(extension, "onToolCall", "an unknown action");
    }
    return current === call.arguments
      ? { type: "continue" }
      : { type: "modify", arguments: current };
  }

  async onToolResult(
    result: HookedResult,
    { signal }: HookOptions,
  ): Promise<{ readonly output: string; readonly isError: boolean } | undefined> {
    let current = { output: result.output, isError: result.isError };
    let isChanged = false;
    for (const extension of this.#options.having("onToolResult")) {
      const payload = { ...result, ...current };
      const outcome = await this.#run(extension, "onToolResult", { payload, signal });
      const output = outcome.ok ? fieldOf(outcome.value, "output") : undefined;
      const isError = outcome.ok ? fieldOf(outcome.value, "isError") : undefined;
      if (typeof output !== "string" && typeof isError !== "boolean") continue;
      current = {
        output: typeof output === "string" ? output : current.output,
        isError: typeof isError === "boolean" ? isError : current.isError,
      };
      isChanged = true;
    }
    return isChanged ? current : undefined;
  }

  async #tell(hook: HookName, payload: unknown, signal: AbortSignal | undefined): Promise<void> {
    for (const extension of this.#options.having(hook)) {
      await this.#run(extension, hook, { payload, signal });
    }
  }

  async #run(
    extension: string,
    hook: HookName,
    { payload, signal }: { readonly payload: unknown; readonly signal: AbortSignal | undefined },
  ): Promise<HookOutcome> {
    if (isAborted(signal)) return { ok: false, reason: "the turn was cancelled" };
    try {
      const text = await this.#options.call(extension, {
        kind: "hook",
        target: hook,
        payload: JSON.stringify(payload),
        timeoutMs: HOOK_TIMEOUT_MS,
        ...(signal === undefined ? {} : { signal }),
      });
      return { ok: true, value: parsedTwice(JSON.parse(text)) };
    } catch (error) {
      if (!isAborted(signal)) this.#complain(extension, hook, errorMessage(error));
      return { ok: false, reason: errorMessage(error) };
    }
  }

  #complain(extension: string, hook: HookName, reason: string): void {
    this.#options.logger.warn(`The hook ${hook} of the extension "${extension}" failed: ${reason}`);
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Hooks of the Rust rho returned JSON text; an object is the rule here. */
function parsedTwice(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
