import type { Entry, StoredToolCall } from "../../entry.ts";
import type { JsonRecord } from "../../json_value.ts";
import { callArguments } from "../outline/outline_input.ts";
import { type Phase, replayPhases } from "../phase.ts";

/** A call with its result, as compaction looks back at it. */
export interface PathCall {
  readonly name: string;
  readonly args: JsonRecord;
  readonly call: StoredToolCall;
  readonly result: string;
  readonly isError: boolean;
  readonly phase: Phase;
  /** The result's entry. */
  readonly entryId: string;
}

/** All answered calls of a path, in the order of their results. */
export function pathCalls(path: readonly Entry[]): PathCall[] {
  const phases = replayPhases(path);
  const open = new Map<string, StoredToolCall>();
  const answered: PathCall[] = [];
  for (const { id, payload } of path) {
    if (payload.type !== "Message") continue;
    const { message } = payload;
    if (message.role === "assistant") {
      for (const call of message.tool_calls ?? []) open.set(call.id, call);
    } else if (message.role === "tool") {
      const call = open.get(message.tool_call_id);
      if (call === undefined) continue;
      answered.push({
        name: call.function.name,
        args: callArguments(call.function.arguments),
        call,
        result: message.content,
        isError: message.is_error === true,
        phase: phases.get(id) ?? "exploration",
        entryId: id,
      });
    }
  }
  return answered;
}
