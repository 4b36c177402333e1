import { errorMessage } from "../../base/errors.ts";
import { bodyText } from "../http/body_text.ts";
import { errorText } from "../http/error_text.ts";
import { httpError } from "../http/http_errors.ts";
import { modelFetch } from "../http/model_fetch.ts";
import { requestHeaders } from "../http/request_headers.ts";
import {
  type Adaptation,
  type AdaptationName,
  type AdaptationTarget,
  learnAdaptation,
  learntAdaptation,
  suggestedAdaptations,
} from "../request/adaptation.ts";
import { bodyJson } from "../request/body_json.ts";
import type { StreamEvent } from "../types.ts";
import { ExchangeLog } from "./exchange_log.ts";
import type { ReplyTask } from "./reply_task.ts";

/** How much of an error's body is read, in bytes. */
const MAX_ERROR_BYTES = 64 * 1024;

/** A response with a success status whose body is still to come. */
export interface OpenedReply {
  readonly response: Response;
  readonly log: ExchangeLog | undefined;
  /** What the caller is told before the reply begins. */
  readonly notices: readonly StreamEvent[];
}

/**
 * Sends a request and waits for the head of its response. A server that refuses a field is asked
 * again without it, and what it took then is remembered.
 *
 * @throws {ProviderError} when there is no success status in the end.
 * @throws the signal's reason when it is aborted.
 */
export async function openReply(task: ReplyTask, signal: AbortSignal): Promise<OpenedReply> {
  const { context, request, protocol, logger } = task;
  const { provider } = context;
  const target: AdaptationTarget = {
    provider: provider.name,
    endpoint: provider.endpoint,
    model: request.model,
  };
  const headers = requestHeaders(context, {
    env: task.env,
    accept: "text/event-stream, application/json",
  });
  headers.set("content-type", "application/json");
  let adaptation = learntAdaptation(target);
  const applied: AdaptationName[] = [];
  const notices: StreamEvent[] = [];
  let body = bodyJson(protocol.body(request, adaptation));
  for (;;) {
    const log = task.requestLog && new ExchangeLog({
      log: task.requestLog,
      provider: provider.name,
      scrub: context.scrub,
    });
    log?.request(provider.endpoint, { headers, body });
    const response = await send(body, log);
    if (response.ok) {
      learnAdaptation(target, applied);
      return { response, log, notices };
    }
    const text = await bodyText(response, { maxBytes: MAX_ERROR_BYTES, signal });
    log?.text(text);
    log?.end();
    const next = nextAdaptation(response.status, text);
    if (next === undefined) {
      throw httpError({ status: response.status, headers: response.headers, body: text }, context);
    }
    applied.push(next.name);
    ({ adaptation, body } = next);
    const words = context.scrub(errorText(text));
    logger.info(
      `Provider "${provider.name}" refused a request (${words}); asked with ${next.name}`,
    );
    if (next.name === "noTools") {
      notices.push({
        type: "notice",
        code: "tools_refused",
        message: `Provider "${provider.name}" does not take tools for model ` +
          `"${request.model}" (${words}); the model works without them`,
      });
    }
  }

  async function send(sent: string, log: ExchangeLog | undefined): Promise<Response> {
    try {
      const response = await modelFetch(provider.endpoint, {
        method: "POST",
        headers,
        body: sent,
        signal,
        context,
      });
      log?.head(response);
      return response;
    } catch (thrown) {
      log?.end(errorMessage(thrown));
      throw thrown;
    }
  }

  /** The first suggestion that makes a difference to what is sent. */
  function nextAdaptation(
    status: number,
    text: string,
  ): { name: AdaptationName; adaptation: Adaptation; body: string } | undefined {
    for (const name of suggestedAdaptations(status, text)) {
      if (adaptation[name] === true) continue;
      const changed = { ...adaptation, [name]: true };
      const changedBody = bodyJson(protocol.body(request, changed));
      if (changedBody !== body) return { name, adaptation: changed, body: changedBody };
    }
    return undefined;
  }
}
