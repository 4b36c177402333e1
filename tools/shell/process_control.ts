import type { ListGroupOptions } from "./list_group.ts";

/** What is needed to start one process. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
}

/** How a command is to be started. */
export interface WrapOptions {
  /** A file that becomes the command's standard input; without it the input is empty. */
  readonly stdinPath?: string;
  /** Whether stderr joins stdout. */
  readonly mergeStreams: boolean;
}

/**
 * How processes are watched over and ended on one platform. A command and everything that it
 * starts is a group, named by the process id of its leader.
 */
export interface ProcessControl {
  /** Whether the child's stdin is a pipe from rho whose end means the end of the group. */
  readonly isWatched: boolean;
  /** What to start in place of the command itself. */
  readonly wrap: (launch: Launch, options: WrapOptions) => Launch;
  /** Asks the group to end. */
  readonly terminate: (leader: number) => Promise<void>;
  /** Ends the group. */
  readonly kill: (leader: number) => Promise<void>;
  /** The ids of the group's living processes, without rho's own watcher. */
  readonly members: (leader: number, options?: ListGroupOptions) => Promise<number[]>;
}
