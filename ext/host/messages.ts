/**
 * What rho and the extension host say to each other: JSON lines over the host's pipes. A worker of
 * the host is named by its generation, a number that is never used again, so whatever an ended
 * worker still says is recognised and dropped.
 */

/** Hosts that `fetch` reaches, or all or none of them. */
export type NetworkGrant = boolean | readonly string[];

/** What an extension is asked to run. */
export type CallKind = "tool" | "hook" | "command";

/** From rho to the host. */
export type ToHost =
  /** The first line, before any worker exists; the secret is never said again. */
  | { readonly type: "start"; readonly secret: string }
  | {
    readonly type: "load";
    readonly generation: number;
    readonly network: NetworkGrant;
    /** The linked module in base64. */
    readonly code: string;
  }
  | {
    readonly type: "call";
    readonly generation: number;
    readonly id: number;
    readonly kind: CallKind;
    readonly target: string;
    /** JSON text. */
    readonly payload: string;
  }
  /** Answers the one host call that a worker waits for. */
  | {
    readonly type: "reply";
    readonly generation: number;
    readonly ok: boolean;
    /** JSON text of the result, or the message of the error. */
    readonly text: string;
  }
  | { readonly type: "probe"; readonly generation: number; readonly nonce: number }
  | { readonly type: "stop"; readonly generation: number };

/** From a worker to the host. */
export type FromWorker =
  | { readonly type: "loaded"; readonly manifest: string }
  | { readonly type: "load_failed"; readonly message: string; readonly stack: string }
  | {
    readonly type: "result";
    readonly id: number;
    readonly ok: boolean;
    /** JSON text of the result, or the message of the error. */
    readonly text: string;
    readonly stack: string;
  }
  | { readonly type: "host_call"; readonly name: string; readonly args: string }
  | { readonly type: "log"; readonly level: string; readonly message: string }
  | { readonly type: "alive"; readonly nonce: number; readonly heapBytes: number }
  | { readonly type: "stopped" };

/** From the host to rho. Each line is the secret, a blank and one of these as JSON. */
export type FromHost =
  | { readonly type: "ready" }
  | (FromWorker & { readonly generation: number })
  /** A worker ended by itself. */
  | { readonly type: "crashed"; readonly generation: number; readonly message: string }
  /** The resident size of the host. */
  | { readonly type: "memory"; readonly rssBytes: number };
