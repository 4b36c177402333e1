import type { ByteSink } from "../rpc/line_writer.ts";

/** What rho needs of the process around it; tests and the demo bring their own. */
export interface AppIo {
  readonly stdin: ReadableStream<Uint8Array>;
  readonly stdout: ByteSink;
  /** Takes diagnostics, line ends included. */
  readonly stderr: (text: string) => void;
  /** The environment, complete. */
  readonly env: Readonly<Record<string, string>>;
  /** The working directory. */
  readonly cwd: string;
}
