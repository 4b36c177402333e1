import { LineSplitter } from "../base/json_lines.ts";
import { unreachable } from "../base/errors.ts";
import type { AgentEvent, AgentEventMap } from "../agent/events.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { parseRpcLine, type RpcIncoming } from "./json_rpc.ts";
import type { LineWriter } from "./line_writer.ts";
import { RpcError } from "./rpc_error.ts";

/** JSON's own white space: a byte order mark is none, though `trim()` takes it for some. */
const BLANK_REGEXP = /^[ \t\r]*$/;

/** The longest line that is read, in bytes. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/**
 * Feeds a stream of JSON lines to a dispatcher until the stream ends. A line that is no message is
 * answered with an error, and reading goes on.
 */
export async function readRequests(
  input: ReadableStream<Uint8Array>,
  dispatcher: Dispatcher,
): Promise<void> {
  const splitter = new LineSplitter({ maxBytes: MAX_LINE_BYTES });
  for await (const chunk of input) {
    for (const line of splitter.push(chunk)) await acceptLine(line, dispatcher);
  }
  for (const line of splitter.end()) await acceptLine(line, dispatcher);
}

async function acceptLine(
  line: ReturnType<LineSplitter["push"]>[number],
  dispatcher: Dispatcher,
): Promise<void> {
  switch (line.type) {
    case "line":
      if (!BLANK_REGEXP.test(line.text)) await dispatcher.accept(parseRpcLine(line.text));
      return;
    case "too_long": {
      const limit = `${MAX_LINE_BYTES / 1024 / 1024} MiB`;
      const message = `The line has ${line.bytes} bytes; at most ${limit} are read`;
      return await dispatcher.accept(rejected(RpcError.invalidRequest(message)));
    }
    case "invalid_utf8": {
      const message = "Cannot parse the line: it is not valid UTF-8";
      return await dispatcher.accept(rejected(RpcError.parseError(message)));
    }
    default:
      return unreachable(line);
  }
}

function rejected(error: RpcError): RpcIncoming {
  return { type: "invalid", id: null, error };
}

/** Writes one notification. */
export function sendNotification(writer: LineWriter, method: string, params: unknown): void {
  writer.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
}

/**
 * Writes an agent's event as the notification of the same name. Deltas that wait behind each other
 * are merged.
 *
 * @returns a promise when so much is queued that the model should be slowed.
 */
export function sendEvent(writer: LineWriter, event: AgentEvent): void | Promise<void> {
  if (event.type !== "message/delta" && event.type !== "reasoning/delta") {
    return sendNotification(writer, event.type, event.params);
  }
  const method: keyof AgentEventMap = event.type;
  writer.sendDelta(
    method,
    event.params.delta,
    (delta) => JSON.stringify({ jsonrpc: "2.0", method, params: { delta } }),
  );
  return writer.isFull ? writer.drained() : undefined;
}
