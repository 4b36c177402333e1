import * as v from "valibot";
import { APPROVAL_RESPONSE_PARAMS } from "./approval_response.ts";
import {
  BRANCH_TO_PARAMS,
  BRANCH_TO_RESULT,
  CURSOR_POSITION_RESULT,
  FORK_PARAMS,
  LIST_CURSORS_RESULT,
  NAME_CURSOR_PARAMS,
  SWITCH_CURSOR_PARAMS,
} from "./cursors.ts";
import {
  ENTRY_PARAMS,
  GET_ENTRIES_PARAMS,
  GET_ENTRIES_RESULT,
  GET_FULL_OUTPUT_RESULT,
  SET_RESOLUTION_PARAMS,
} from "./entries.ts";
import { EXPORT_SESSION_PARAMS, EXPORT_SESSION_RESULT } from "./export_session.ts";
import { COMPACT_PARAMS, COMPACT_RESULT } from "./compact.ts";
import { GET_SESSION_STATS_RESULT } from "./session_stats.ts";
import {
  LIST_COMMANDS_RESULT,
  LIST_EXTENSIONS_RESULT,
  RELOAD_EXTENSIONS_RESULT,
  RUN_COMMAND_PARAMS,
  RUN_COMMAND_RESULT,
} from "./extensions.ts";
import { LIST_TOOLS_RESULT } from "./list_tools.ts";
import { GET_MESSAGES_RESULT } from "./messages.ts";
import {
  LIST_MODELS_RESULT,
  SET_MODEL_PARAMS,
  SET_MODEL_RESULT,
  SET_REASONING_EFFORT_PARAMS,
  SET_REASONING_EFFORT_RESULT,
} from "./models.ts";
import { NEW_SESSION_RESULT } from "./new_session.ts";
import { PROMPT_PARAMS, PROMPT_RESULT } from "./prompt.ts";
import { LIST_PROVIDERS_RESULT } from "./providers.ts";
import { EMPTY } from "./scalars.ts";
import {
  DELETE_SESSION_PARAMS,
  LIST_SESSIONS_RESULT,
  RENAME_SESSION_PARAMS,
  RESUME_SESSION_PARAMS,
  RESUME_SESSION_RESULT,
} from "./sessions.ts";
import { GET_STATE_RESULT } from "./state.ts";
import { LIST_TRUST_RESULT, TRUST_PARAMS, TRUST_RESULT } from "./trust.ts";

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
  "compact": {
    summary: "Puts a summary in place of the older part of the conversation",
    params: COMPACT_PARAMS,
    result: COMPACT_RESULT,
  },
  "getSessionStats": {
    summary: "Tells what the model's context holds and what the session has cost",
    params: EMPTY,
    result: GET_SESSION_STATS_RESULT,
  },
  "getMessages": {
    summary: "Lists the messages of the active path",
    params: EMPTY,
    result: GET_MESSAGES_RESULT,
  },
  "getEntries": {
    summary: "Lists the entries of all branches, in the order and shape of the session file",
    params: GET_ENTRIES_PARAMS,
    result: GET_ENTRIES_RESULT,
  },
  "listSessions": {
    summary: "Lists the sessions of the project, newest first",
    params: EMPTY,
    result: LIST_SESSIONS_RESULT,
  },
  "resumeSession": {
    summary: "Goes on with another session; the current one is closed",
    params: RESUME_SESSION_PARAMS,
    result: RESUME_SESSION_RESULT,
  },
  "renameSession": {
    summary: "Titles a session that nobody has open; its time stays",
    params: RENAME_SESSION_PARAMS,
    result: EMPTY,
  },
  "deleteSession": {
    summary: "Removes a session that nobody has open, with all that belongs to it",
    params: DELETE_SESSION_PARAMS,
    result: EMPTY,
  },
  "exportSession": {
    summary: "Returns the session as Markdown or JSON, or writes it to a file",
    params: EXPORT_SESSION_PARAMS,
    result: EXPORT_SESSION_RESULT,
  },
  "listCursors": { summary: "Lists the cursors", params: EMPTY, result: LIST_CURSORS_RESULT },
  "fork": {
    summary: "Makes a new cursor at the current leaf and goes on with it",
    params: FORK_PARAMS,
    result: CURSOR_POSITION_RESULT,
  },
  "switchCursor": {
    summary: "Goes on with another cursor",
    params: SWITCH_CURSOR_PARAMS,
    result: CURSOR_POSITION_RESULT,
  },
  "branchTo": {
    summary: "Moves to any entry; what was there stays in the session",
    params: BRANCH_TO_PARAMS,
    result: BRANCH_TO_RESULT,
  },
  "nameCursor": { summary: "Names a cursor", params: NAME_CURSOR_PARAMS, result: EMPTY },
  "setResolution": {
    summary: "Sets how much of an entry the model is shown on this branch",
    params: SET_RESOLUTION_PARAMS,
    result: EMPTY,
  },
  "pinEntry": {
    summary: "Protects an entry from being shortened on this branch",
    params: ENTRY_PARAMS,
    result: EMPTY,
  },
  "unpinEntry": {
    summary: "Takes an entry's protection back",
    params: ENTRY_PARAMS,
    result: EMPTY,
  },
  "getFullOutput": {
    summary: "Returns the whole text of a result that was shortened",
    params: ENTRY_PARAMS,
    result: GET_FULL_OUTPUT_RESULT,
  },
  "setModel": {
    summary: "Changes the model from the next request on",
    params: SET_MODEL_PARAMS,
    result: SET_MODEL_RESULT,
  },
  "setReasoningEffort": {
    summary: "Changes how long the model shall think, from the next request on",
    params: SET_REASONING_EFFORT_PARAMS,
    result: SET_REASONING_EFFORT_RESULT,
  },
  "listModels": {
    summary: "Asks all providers for their models; what answers is listed",
    params: EMPTY,
    result: LIST_MODELS_RESULT,
  },
  "listProviders": {
    summary: "Tells which providers there are and which answer",
    params: EMPTY,
    result: LIST_PROVIDERS_RESULT,
  },
  "listTools": { summary: "Lists the tools", params: EMPTY, result: LIST_TOOLS_RESULT },
  "listCommands": {
    summary: "Lists the commands of extensions",
    params: EMPTY,
    result: LIST_COMMANDS_RESULT,
  },
  "runCommand": {
    summary: "Runs a command of an extension",
    params: RUN_COMMAND_PARAMS,
    result: RUN_COMMAND_RESULT,
  },
  "listExtensions": {
    summary: "Lists the extensions that were found, and what became of each",
    params: EMPTY,
    result: LIST_EXTENSIONS_RESULT,
  },
  "reloadExtensions": {
    summary: "Loads extensions that are new or have changed, ends those that are gone",
    params: EMPTY,
    result: RELOAD_EXTENSIONS_RESULT,
  },
  "listTrust": {
    summary: "Lists the files of the project that wait for a review",
    params: EMPTY,
    result: LIST_TRUST_RESULT,
  },
  "trust": {
    summary: "Lets reviewed files count: a configuration from the next start on, a context file " +
      "from the next session on, or at once while nothing has been said in this one",
    params: TRUST_PARAMS,
    result: TRUST_RESULT,
  },
  "rpc.discover": {
    summary: "Returns the OpenRPC document of this protocol",
    params: EMPTY,
    result: v.pipe(v.record(v.string(), v.unknown()), v.description("An OpenRPC document")),
  },
} as const satisfies Readonly<Record<string, MethodSchema>>;

/** The name of a method. */
export type MethodName = keyof typeof METHOD_SCHEMAS;
