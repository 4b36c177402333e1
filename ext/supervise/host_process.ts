import { LineSplitter } from "../../core/base/json_lines.ts";
import { encodeUtf8 } from "../../core/base/text.ts";
import type { FromHost, ToHost } from "../host/messages.ts";
import type { HostLaunch } from "./host_launch.ts";

/** The longest line that is read from a host, in bytes. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** How long a host may take to end after its input did, in milliseconds. */
const END_GRACE_MS = 500;
/** What is kept of the host's last words, in UTF-16 units. */
const MAX_STDERR_UNITS = 2_000;

/** Options of {@linkcode HostProcess.start}. */
export interface HostProcessOptions {
  readonly launch: HostLaunch;
  readonly onMessage: (message: FromHost) => void;
  /** Called once, when the process has ended, for whatever reason. */
  readonly onExit: (end: { readonly exitCode: number; readonly stderr: string }) => void;
}

/** The process in which extensions live, and the pipes to it. */
export class HostProcess {
  readonly #child: Deno.ChildProcess;
  readonly #options: HostProcessOptions;
  readonly #secret = crypto.randomUUID() + crypto.randomUUID();
  readonly #writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #ended: Promise<void>;
  #stderr = "";
  #isKilled = false;
  /** Lines on stdout that were not the host's own. */
  strayLines = 0;

  private constructor(options: HostProcessOptions) {
    const { program, args, env } = options.launch;
    this.#options = options;
    this.#child = new Deno.Command(program, {
      args: [...args],
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      // A signal for rho's own group is rho's to handle.
      detached: Deno.build.os !== "windows",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#ended = this.#watch();
    this.send({ type: "start", secret: this.#secret });
  }

  /** Starts a host; it says `ready` when it can be used. */
  static start(options: HostProcessOptions): HostProcess {
    return new HostProcess(options);
  }

  /** The process id. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Sends one message; a host that is gone takes none. */
  send(message: ToHost): void {
    this.#writer.write(encodeUtf8(`${JSON.stringify(message)}\n`)).catch(() => {});
  }

  /** Ends it at once, with everything in it. */
  kill(): void {
    this.#isKilled = true;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  /** Ends it: closes its input, and kills it should it not end by itself. Waits for its end. */
  async close(): Promise<void> {
    this.#writer.close().catch(() => {});
    const timer = setTimeout(() => this.kill(), END_GRACE_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Resolves when the process has ended and its pipes are closed. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  async #watch(): Promise<void> {
    const [status] = await Promise.all([
      this.#child.status,
      this.#readMessages(),
      this.#readStderr(),
    ]);
    await this.#writer.abort().catch(() => {});
    this.#options.onExit({ exitCode: status.code, stderr: this.#stderr });
  }

  async #readMessages(): Promise<void> {
    const splitter = new LineSplitter({ maxBytes: MAX_LINE_BYTES });
    const prefix = `${this.#secret} `;
    for await (const chunk of this.#child.stdout) {
      for (const line of splitter.push(chunk)) {
        // What a killed host still had to say is about nothing that exists.
        if (this.#isKilled) continue;
        if (line.type !== "line" || !line.text.startsWith(prefix)) this.strayLines += 1;
        else this.#options.onMessage(JSON.parse(line.text.slice(prefix.length)));
      }
    }
  }

  async #readStderr(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stderr) {
      const text = this.#stderr + decoder.decode(chunk, { stream: true });
      this.#stderr = text.slice(-MAX_STDERR_UNITS);
    }
  }
}
