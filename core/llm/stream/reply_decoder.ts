import type { ErrorContext } from "../error_context.ts";
import type { LlmRequest, StreamEvent } from "../types.ts";
import type { ReplyAssembly } from "./reply_assembly.ts";

/** What a decoder is made from. */
export interface DecoderInit {
  readonly request: LlmRequest;
  readonly context: ErrorContext;
  /** Where events go. */
  readonly out: StreamEvent[];
}

/** Reads the payloads of one protocol into an assembly. */
export interface ReplyDecoder {
  readonly assembly: ReplyAssembly;
  /** Whether the last payload was the end mark of a protocol that has one of its own. */
  readonly endMark: boolean;
  /**
   * Takes one payload of the stream, or a whole reply that came as one JSON value.
   *
   * @throws {ProviderError} when the payload is an error.
   */
  push(payload: Record<string, unknown>): void;
}
