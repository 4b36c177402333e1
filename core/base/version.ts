/** The version of rho; a test compares it with `deno.json`. */
export const VERSION = "0.1.0";

/** The version of the wire protocol. */
export const PROTOCOL_VERSION = 1;
