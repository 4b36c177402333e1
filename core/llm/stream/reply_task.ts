import type { RequestLimits } from "../../config/provider.ts";
import type { Logger } from "../../base/log.ts";
import type { ErrorContext } from "../error_context.ts";
import type { EnvironmentReader } from "../http/request_headers.ts";
import type { RequestLog } from "../request_log.ts";
import type { LlmRequest, LlmStreamOptions } from "../types.ts";
import type { WireProtocol } from "./wire_protocol.ts";

/** Everything that one request needs. */
export interface ReplyTask {
  readonly request: LlmRequest;
  readonly options: LlmStreamOptions;
  readonly context: ErrorContext;
  readonly protocol: WireProtocol;
  readonly limits: RequestLimits;
  readonly env: EnvironmentReader;
  readonly logger: Logger;
  readonly requestLog: RequestLog | undefined;
  readonly waitingIntervalMs: number | undefined;
}
