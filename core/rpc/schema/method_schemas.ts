import * as v from "valibot";
import { APPROVAL_RESPONSE_PARAMS } from "./approval_response.ts";
import { LIST_TOOLS_RESULT } from "./list_tools.ts";
import { GET_MESSAGES_RESULT } from "./messages.ts";
import { NEW_SESSION_RESULT } from "./new_session.ts";
import { PROMPT_PARAMS, PROMPT_RESULT } from "./prompt.ts";
import { EMPTY } from "./scalars.ts";
import { GET_STATE_RESULT } from "./state.ts";

/** A method as the protocol describes it. */
export interface MethodSchema {
  readonly summary: string;
  readonly params: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly result: v.GenericSchema;
}

/** The one description of every method: types, checks and documentation come from it. */
export const METHOD_SCHEMAS = {
  "prompt": {
    summary: "Runs a turn, or adds a steering message to the running one",
    params: PROMPT_PARAMS,
    result: PROMPT_RESULT,
  },
  "abort": { summary: "Cancels the running turn", params: EMPTY, result: EMPTY },
  "approvalResponse": {
    summary: "Answers an open approval request",
    params: APPROVAL_RESPONSE_PARAMS,
    result: EMPTY,
  },
  "clear": {
    summary: "Starts over below the system message; the old branch stays in the session",
    params: EMPTY,
    result: EMPTY,
  },
  "newSession": {
    summary: "Ends the session and begins a new one",
    params: EMPTY,
    result: NEW_SESSION_RESULT,
  },
  "getState": { summary: "Tells where rho stands", params: EMPTY, result: GET_STATE_RESULT },
  "getMessages": {
    summary: "Lists the messages of the active path",
    params: EMPTY,
    result: GET_MESSAGES_RESULT,
  },
  "listTools": { summary: "Lists the tools", params: EMPTY, result: LIST_TOOLS_RESULT },
  "rpc.discover": {
    summary: "Returns the OpenRPC document of this protocol",
    params: EMPTY,
    result: v.pipe(v.record(v.string(), v.unknown()), v.description("An OpenRPC document")),
  },
} as const satisfies Readonly<Record<string, MethodSchema>>;

/** The name of a method. */
export type MethodName = keyof typeof METHOD_SCHEMAS;
