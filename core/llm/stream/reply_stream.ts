import { errorMessage } from "../../base/errors.ts";
import { networkError } from "../http/network_errors.ts";
import { RequestClock } from "../http/request_clock.ts";
import { tcpProbe } from "../http/tcp_probe.ts";
import type { StreamEvent } from "../types.ts";
import { openReply } from "./open_reply.ts";
import { ReplyReader } from "./reply_reader.ts";
import type { ReplyTask } from "./reply_task.ts";

/** How long a server may take to close after its end mark, so that the connection can be kept. */
const DRAIN_LIMIT_MS = 20;

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/**
 * Sends one request and yields its reply as events, with one layer between the network and the
 * caller: each read is decoded whole, then handed out.
 *
 * @throws {ProviderError} once, when the request or the reply fails.
 * @throws the signal's reason when it is aborted.
 */
export async function* replyStream(task: ReplyTask): AsyncGenerator<StreamEvent, void, void> {
  const { context, options } = task;
  const { signal } = options;
  const { endpoint } = context.provider;
  if (signal.aborted) throw signal.reason;
  const clock = new RequestClock({
    limits: task.limits,
    context,
    signal,
    probe: (probing) => tcpProbe(endpoint, probing),
    ...(options.onWaiting === undefined ? {} : { onWaiting: options.onWaiting }),
    ...(task.waitingIntervalMs === undefined ? {} : { waitingIntervalMs: task.waitingIntervalMs }),
  });
  let reader: Reader | undefined;
  let logEnd: ((error?: string) => void) | undefined;
  try {
    const { response, log, notices } = await openReply(task, clock.signal);
    logEnd = (error) => log?.end(error);
    clock.headArrived();
    yield* notices;
    reader = response.body?.getReader();
    const out: StreamEvent[] = [];
    const reply = new ReplyReader(task, out);
    let receivedBytes = 0;
    let failure: unknown;
    while (!reply.over) {
      let bytes: Uint8Array | undefined;
      clock.resume();
      try {
        bytes = (await reader?.read())?.value;
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        failure = clock.signal.aborted
          ? clock.signal.reason
          : networkError({ thrown, afterHead: true, receivedBytes }, context);
      }
      clock.pause();
      if (bytes !== undefined) {
        receivedBytes += bytes.length;
        log?.bytes(bytes);
      }
      let thrown: unknown;
      try {
        if (bytes !== undefined) reply.push(bytes);
        else reply.end(failure);
      } catch (error) {
        thrown = error;
      }
      if (out.length > 0) {
        clock.tokenArrived();
        for (const event of out) {
          yield event;
          if (signal.aborted) throw signal.reason;
        }
        out.length = 0;
      }
      if (thrown !== undefined) throw thrown;
      if (reply.finished) clock.finishReasonArrived();
    }
    if (reader !== undefined && failure === undefined) await drain(reader);
  } catch (thrown) {
    logEnd?.(errorMessage(thrown));
    throw thrown;
  } finally {
    clock.dispose();
    logEnd?.();
    await reader?.cancel().catch(() => {});
  }
}

/** Reads what is left after the end mark, which is next to nothing, so that the body is closed. */
async function drain(reader: Reader): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, DRAIN_LIMIT_MS));
  const rest = (async () => {
    while (!(await reader.read()).done);
  })().catch(() => {});
  await Promise.race([rest, limit]);
  clearTimeout(timer);
}
