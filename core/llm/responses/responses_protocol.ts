import type { WireProtocol } from "../stream/wire_protocol.ts";
import { EventDecoder } from "./event_decoder.ts";
import { responsesRequestBody } from "./responses_request.ts";

/** The Responses protocol. */
export const RESPONSES_PROTOCOL: WireProtocol = {
  body: responsesRequestBody,
  decoder: (init) => new EventDecoder(init),
};
