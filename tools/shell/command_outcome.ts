import type { RhoError } from "../../core/base/errors.ts";
import type { CapturedOutput } from "./command_output.ts";

/**
 * What ended a command. The first cause counts: an abort that comes when a timeout is already
 * ending the command leaves `timeout`.
 */
export type CommandEnd =
  /** It ended by itself. */
  | { readonly reason: "exit"; readonly exitCode: number }
  /** A signal from somewhere else ended it. */
  | { readonly reason: "signal"; readonly signal: string; readonly exitCode: number }
  | { readonly reason: "timeout"; readonly timeoutMs: number }
  | { readonly reason: "aborted" }
  /** It never ran; the error says why and what to do. */
  | { readonly reason: "spawn_failed"; readonly error: RhoError };

/** Everything about a command that has ended. */
export interface CommandOutcome {
  readonly end: CommandEnd;
  /** Time from the call to its end, in milliseconds of the monotonic clock. */
  readonly durationMs: number;
  /** What it printed; with `mergeStreams` both streams in their order. */
  readonly stdout: CapturedOutput;
  /** What it printed to stderr; empty with `mergeStreams`. */
  readonly stderr: CapturedOutput;
  /** Processes of the command that go on in the background until rho ends. */
  readonly backgroundPids: readonly number[];
  /**
   * Something kept the output open after the command had ended; what it prints from then on is
   * lost. It need not be among `backgroundPids`: it may have left the command's session.
   */
  readonly isOutputHeld: boolean;
}
