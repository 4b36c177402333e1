/**
 * A model server for tests that says exactly the bytes it is told to, over raw TCP: pieces split
 * anywhere, delays, cuts, resets and silence. One request a connection.
 */

import { delay } from "../../core/base/abort.ts";

/** What a turn sends: text, bytes, or a pause. Each piece is one write (and one HTTP chunk). */
export type Piece = string | Uint8Array | { readonly delayMs: number };

/** How one request is answered. */
export interface ScriptedTurn {
  /** @default {200} */
  readonly status?: number;
  /**
   * Response headers. `content-type: text/event-stream` is sent unless the table has the key;
   * `null` leaves a header out, also `transfer-encoding`, which sends the body unframed.
   */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly chunks: readonly Piece[];
  /** Waits before the response's head is sent, in milliseconds. */
  readonly headDelayMs?: number;
  /**
   * `close` ends the body properly; `destroy` closes the connection without the body's own end;
   * `reset` does so with a TCP reset; `hang` says nothing more until somebody closes.
   * @default {"close"}
   */
  readonly end?: "close" | "destroy" | "reset" | "hang";
  /** The chunks are the whole response, head included. */
  readonly raw?: boolean;
}

/** A request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as JSON, or `undefined` when it is none. */
  // deno-lint-ignore no-explicit-any
  readonly json: any;
  /** Resolves when the client has closed the connection, or the server is closed. */
  readonly closed: Promise<void>;
}

/** Turns in the order of the requests, or a function that answers each one. */
export type Script =
  | readonly ScriptedTurn[]
  | ((request: RecordedRequest, index: number) => ScriptedTurn | Promise<ScriptedTurn>);

/** A running scripted server. */
export interface ScriptedServer {
  /** `http://127.0.0.1:<port>`, without a path. */
  readonly url: string;
  readonly port: number;
  /** The Chat Completions URL. */
  readonly endpoint: string;
  /** The Responses URL. */
  readonly responsesEndpoint: string;
  readonly requests: RecordedRequest[];
  /** What else was asked once the conversation had begun: for lists of models, for windows. */
  readonly sideRequests: RecordedRequest[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const ENCODER = new TextEncoder();

/** Paths of what is no side question. */
const CONVERSATION_REGEXP = /\/(?:chat\/completions|responses)$/;

/**
 * Starts a scripted server on a free loopback port. Requests beyond the script get a 500. Side
 * questions behind the first request of a conversation are no part of the script: `side` answers
 * them, by default with a 404.
 */
export function startScriptedServer(
  script: Script,
  options: {
    readonly hostname?: string;
    readonly side?: (request: RecordedRequest) => ScriptedTurn;
  } = {},
): Promise<ScriptedServer> {
  const hostname = options.hostname ?? "127.0.0.1";
  const listener = Deno.listen({ hostname, port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const url = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
  const requests: RecordedRequest[] = [];
  const sideRequests: RecordedRequest[] = [];
  const isSide = ({ path }: RecordedRequest) =>
    !CONVERSATION_REGEXP.test(path) &&
    (options.side !== undefined || requests.some((other) => CONVERSATION_REGEXP.test(other.path)));
  const stop = new AbortController();
  const running = new Set<Promise<void>>();

  function answerSide(request: RecordedRequest): ScriptedTurn {
    sideRequests.push(request);
    return options.side?.(request) ?? { status: 404, chunks: ["{}"] };
  }

  async function nextTurn(request: RecordedRequest): Promise<ScriptedTurn> {
    const index = requests.push(request) - 1;
    if (typeof script === "function") return await script(request, index);
    return script[index] ?? { status: 500, chunks: ['{"error":{"message":"script ended"}}'] };
  }

  async function accept(): Promise<void> {
    for await (const connection of listener) {
      const handling = serve(connection).catch(() => {}).finally(() => running.delete(handling));
      running.add(handling);
    }
  }

  async function serve(connection: Deno.TcpConn): Promise<void> {
    const onStop = () => closeQuietly(connection);
    stop.signal.addEventListener("abort", onStop, { once: true });
    try {
      connection.setNoDelay(true);
      const received = await readRequest(connection);
      if (received === undefined) return;
      const gone = Promise.withResolvers<void>();
      const request: RecordedRequest = { ...received.request, closed: gone.promise };
      const turn = isSide(request) ? answerSide(request) : await nextTurn(request);
      // The last byte of the body is still unread: closing now makes the kernel send a reset.
      const watching = turn.end === "reset" ? undefined : watch(connection).then(gone.resolve);
      const ended = new AbortController();
      watching?.then(() => ended.abort());
      try {
        await answer(connection, turn, AbortSignal.any([stop.signal, ended.signal]));
        if (turn.end === "hang") await watching;
      } finally {
        closeQuietly(connection);
        await watching;
        gone.resolve();
      }
    } finally {
      stop.signal.removeEventListener("abort", onStop);
      closeQuietly(connection);
    }
  }

  const accepting = accept().catch(() => {});
  let closing: Promise<void> | undefined;
  const close = () =>
    closing ??= (async () => {
      listener.close();
      stop.abort();
      await accepting;
      await Promise.all(running);
    })();
  return Promise.resolve({
    url,
    port,
    endpoint: `${url}/v1/chat/completions`,
    responsesEndpoint: `${url}/v1/responses`,
    requests,
    sideRequests,
    close,
    [Symbol.asyncDispose]: close,
  });
}

async function answer(
  connection: Deno.TcpConn,
  turn: ScriptedTurn,
  signal: AbortSignal,
): Promise<void> {
  if (turn.headDelayMs !== undefined) await delay(turn.headDelayMs, { signal });
  const framed = turn.raw !== true && turn.headers?.["transfer-encoding"] !== null &&
    turn.headers?.["content-length"] === undefined;
  if (turn.raw !== true) await writeAll(connection, ENCODER.encode(responseHead(turn, framed)));
  for (const piece of turn.chunks) {
    if (typeof piece === "object" && "delayMs" in piece) {
      await delay(piece.delayMs, { signal });
      continue;
    }
    const bytes = typeof piece === "string" ? ENCODER.encode(piece) : piece;
    if (bytes.length > 0) await writeAll(connection, framed ? httpChunk(bytes) : bytes);
  }
  if (framed && (turn.end ?? "close") === "close") {
    await writeAll(connection, ENCODER.encode("0\r\n\r\n"));
  }
}

function responseHead(turn: ScriptedTurn, framed: boolean): string {
  const headers: Record<string, string | null> = {
    "content-type": "text/event-stream",
    ...(framed ? { "transfer-encoding": "chunked" } : {}),
    "connection": "close",
    ...turn.headers,
  };
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${turn.status ?? 200} Scripted\r\n${lines.join("")}\r\n`;
}

function httpChunk(bytes: Uint8Array): Uint8Array {
  const head = ENCODER.encode(`${bytes.length.toString(16)}\r\n`);
  const whole = new Uint8Array(head.length + bytes.length + 2);
  whole.set(head);
  whole.set(bytes, head.length);
  whole.set([13, 10], head.length + bytes.length);
  return whole;
}

/** Reads a request but the last byte of its body, which is known to be `}` in every JSON body. */
async function readRequest(
  connection: Deno.TcpConn,
): Promise<{ request: Omit<RecordedRequest, "closed"> } | undefined> {
  let received: Uint8Array = new Uint8Array(0);
  let bodyStart = -1;
  while (bodyStart < 0) {
    // Small reads, so that the last byte of a body stays unread even when a read goes past the head.
    const more = await readSome(connection, 64);
    if (more === undefined) return undefined;
    received = concat(received, more);
    bodyStart = afterBlankLine(received);
  }
  const lines = new TextDecoder().decode(received.subarray(0, bodyStart)).split("\r\n");
  const [method = "", path = ""] = (lines[0] ?? "").split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const wanted = Number(headers["content-length"] ?? 0);
  let body: Uint8Array = received.subarray(bodyStart);
  while (body.length < wanted - 1) {
    const more = await readSome(connection, wanted - 1 - body.length);
    if (more === undefined) return undefined;
    body = concat(body, more);
  }
  const text = new TextDecoder().decode(body) + (body.length < wanted ? "}" : "");
  return { request: { method, path, headers, body: text, json: parsed(text) } };
}

/** Reads on, which takes the rest of the request, until the client has closed. */
async function watch(connection: Deno.TcpConn): Promise<void> {
  const buffer = new Uint8Array(1024);
  try {
    while (await connection.read(buffer) !== null);
  } catch {
    // A reset, or closed by ourselves: the client is gone either way.
  }
}

async function readSome(
  connection: Deno.TcpConn,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const buffer = new Uint8Array(maxBytes);
  const count = await connection.read(buffer);
  return count === null ? undefined : buffer.subarray(0, count);
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

function afterBlankLine(bytes: Uint8Array): number {
  for (let at = Math.max(0, bytes.length - 68); at + 3 < bytes.length; at++) {
    if (bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10) {
      return at + 4;
    }
  }
  return -1;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function closeQuietly(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Already closed.
  }
}
