import type { LlmRequest } from "../types.ts";
import type { Adaptation } from "../request/adaptation.ts";
import type { DecoderInit, ReplyDecoder } from "./reply_decoder.ts";

/** What the two protocols differ in. */
export interface WireProtocol {
  /** The request's body; equal input gives equal bytes. */
  body(request: LlmRequest, adaptation: Adaptation): unknown;
  decoder(init: DecoderInit): ReplyDecoder;
}
