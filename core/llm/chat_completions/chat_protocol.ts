import type { WireProtocol } from "../stream/wire_protocol.ts";
import { chatRequestBody } from "./chat_request.ts";
import { ChunkDecoder } from "./chunk_decoder.ts";

/** The Chat Completions protocol. */
export const CHAT_PROTOCOL: WireProtocol = {
  body: chatRequestBody,
  decoder: (init) => new ChunkDecoder(init),
};
