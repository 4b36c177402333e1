import { type Logger, SILENT_LOGGER } from "../base/log.ts";
import {
  isLoopbackEndpoint,
  type Provider,
  type ProviderApi,
  type RequestLimits,
} from "../config/provider.ts";
import type { EnvironmentReader } from "./http/request_headers.ts";
import { createErrorContext } from "./http/create_error_context.ts";
import type { RequestLog } from "./request_log.ts";
import type { ReplyTask } from "./stream/reply_task.ts";
import type { WireProtocol } from "./stream/wire_protocol.ts";
import type { LlmRequest, LlmService, LlmStreamOptions, StreamEvent } from "./types.ts";

/** How long a model on this machine may take to its first token, unless it is configured. */
export const LOOPBACK_FIRST_TOKEN_TIMEOUT_MS = 600_000;

/** Options of {@linkcode createLlmService}. */
export interface CreateLlmServiceOptions {
  readonly limits: RequestLimits;
  /**
   * Whether somebody chose `limits.firstTokenTimeoutMs`; if not, a model on this machine gets
   * {@linkcode LOOPBACK_FIRST_TOKEN_TIMEOUT_MS}.
   * @default {false}
   */
  readonly firstTokenTimeoutConfigured?: boolean;
  /** @default {Deno.env.get} */
  readonly env?: EnvironmentReader;
  /** Masks secrets in messages and bodies of errors; the provider's own key always is. */
  readonly redact?: (text: string) => string;
  readonly logger?: Logger;
  readonly requestLog?: RequestLog;
  /** How often `onWaiting` is called, in milliseconds. @default {10000} */
  readonly waitingIntervalMs?: number;
}

/**
 * A model server behind its protocol. Nothing is opened or loaded before the first request, and
 * nothing stays open after one.
 *
 * @example
 * ```ts ignore
 * const service = createLlmService(provider, { limits: DEFAULT_SETTINGS.limits });
 * for await (const event of service.stream(request, { signal })) {
 *   if (event.type === "text") show(event.delta);
 * }
 * ```
 */
export function createLlmService(
  provider: Provider,
  options: CreateLlmServiceOptions,
): LlmService {
  const env = options.env ?? ((name: string) => Deno.env.get(name));
  const limits = effectiveLimits(provider, options);
  return {
    stream(request, streamOptions) {
      return lazyStream(async () => {
        const [{ replyStream }, protocol] = await Promise.all([
          import("./stream/reply_stream.ts" as string) as Promise<
            typeof import("./stream/reply_stream.ts")
          >,
          loadProtocol(provider.api),
        ]);
        return replyStream(task(request, streamOptions, protocol));
      });
    },
  };

  function task(
    request: LlmRequest,
    streamOptions: LlmStreamOptions,
    protocol: WireProtocol,
  ): ReplyTask {
    return {
      request,
      options: streamOptions,
      protocol,
      limits,
      env,
      context: createErrorContext(provider, { env, model: request.model, ...redactOption() }),
      logger: options.logger ?? SILENT_LOGGER,
      requestLog: options.requestLog,
      waitingIntervalMs: options.waitingIntervalMs,
    };
  }

  function redactOption(): { redact?: (text: string) => string } {
    return options.redact === undefined ? {} : { redact: options.redact };
  }
}

/** Loads the code of a protocol, so that the first request need not wait for it. */
export async function preloadProtocol(api: ProviderApi): Promise<void> {
  await Promise.all([
    import("./stream/reply_stream.ts" as string) as Promise<
      typeof import("./stream/reply_stream.ts")
    >,
    loadProtocol(api),
  ]);
  // Deno loads its own fetch code at the first use; a request that is never sent makes it do so.
  new Request("http://localhost/", { method: "POST", headers: { accept: "*/*" }, body: "{}" });
  Reflect.get(globalThis, "fetch");
}

async function loadProtocol(api: ProviderApi): Promise<WireProtocol> {
  switch (api) {
    case "chat_completions":
      return (await (import("./chat_completions/chat_protocol.ts" as string) as Promise<
        typeof import("./chat_completions/chat_protocol.ts")
      >)).CHAT_PROTOCOL;
    case "responses":
      return (await (import("./responses/responses_protocol.ts" as string) as Promise<
        typeof import("./responses/responses_protocol.ts")
      >)).RESPONSES_PROTOCOL;
  }
}

function effectiveLimits(provider: Provider, options: CreateLlmServiceOptions): RequestLimits {
  const { limits } = options;
  const isDefault = options.firstTokenTimeoutConfigured !== true;
  return isDefault && limits.firstTokenTimeoutMs > 0 && isLoopbackEndpoint(provider.endpoint)
    ? { ...limits, firstTokenTimeoutMs: LOOPBACK_FIRST_TOKEN_TIMEOUT_MS }
    : limits;
}

type EventStream = AsyncGenerator<StreamEvent, void, void>;

/** A sequence whose source is made on the first pull, without a layer between the two afterwards. */
function lazyStream(open: () => Promise<EventStream>): AsyncIterable<StreamEvent> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<StreamEvent, void, void> {
      let source: EventStream | undefined;
      let opening: Promise<EventStream> | undefined;
      let closed = false;
      return {
        next() {
          if (source !== undefined) return source.next();
          if (closed) return Promise.resolve({ done: true, value: undefined });
          opening ??= open().then((opened) => source = opened);
          return opening.then((opened) => opened.next());
        },
        async return() {
          closed = true;
          if (opening !== undefined) await (await opening).return();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
