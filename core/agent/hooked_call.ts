import type { LlmToolCall } from "../llm/types.ts";
import type { Redactor } from "../security/redactor.ts";
import { frame } from "../../tools/framing.ts";
import type { ToolRegistry } from "../../tools/registry.ts";
import type { AgentHooks } from "./agent_hooks.ts";
import { prepareCall, type ReadyCall, type UnusableCall } from "./prepared_call.ts";

/** A call that a hook does not let run; the message tells the model why. */
export interface BlockedCall {
  readonly type: "blocked";
  readonly message: string;
}

/** What hooks on calls need. */
interface HookedCallDeps {
  readonly hooks?: AgentHooks;
  readonly registry: ToolRegistry;
  readonly redactor: Pick<Redactor, "redact">;
  readonly signal: AbortSignal;
}

/**
 * Lets hooks block or change a call before anybody is asked about it. What they change is checked
 * like what the model sent.
 */
export async function hookedCall(
  call: LlmToolCall,
  ready: ReadyCall,
  { hooks, registry, signal }: HookedCallDeps,
): Promise<ReadyCall | UnusableCall | BlockedCall> {
  if (hooks === undefined) return ready;
  const intervention = await hooks.onToolCall(
    { toolName: call.name, arguments: ready.argumentsText, callId: call.id },
    { signal },
  );
  switch (intervention.type) {
    case "continue":
      return ready;
    case "block":
      return {
        type: "blocked",
        message: `Not run: ${intervention.reason}. Do not try to reach the same effect another ` +
          "way; do something else, or say what you wanted.",
      };
    case "modify": {
      const changed = prepareCall({ ...call, arguments: intervention.arguments }, registry);
      if (changed.type === "unusable") return changed;
      const note = `Note: an extension changed the arguments to ${changed.argumentsText}`;
      return { ...changed, changed: note };
    }
  }
}

/** Lets hooks replace a result; what they say is text from outside and framed as such. */
export async function hookedResult(
  call: LlmToolCall,
  result: { readonly output: string; readonly isError: boolean },
  { hooks, redactor, signal }: HookedCallDeps,
): Promise<{ readonly output: string; readonly isError: boolean }> {
  if (hooks === undefined) return result;
  const output = redactor.redact(result.output);
  const replaced = await hooks.onToolResult(
    { toolName: call.name, callId: call.id, output, isError: result.isError },
    { signal },
  );
  if (replaced === undefined) return { output, isError: result.isError };
  if (replaced.output === output) return { output, isError: replaced.isError };
  return {
    output: frame({ source: "extension hook" }, redactor.redact(replaced.output)),
    isError: replaced.isError,
  };
}
