import { delay } from "./base/abort.ts";
import { PROTOCOL_VERSION, VERSION } from "./base/version.ts";
import type { AppIo } from "./cli/app_io.ts";
import { buildAgent, type BuiltAgent } from "./cli/build_agent.ts";
import type { CliOptions } from "./cli/cli_options.ts";
import { ApprovalDesk } from "./rpc/approval_desk.ts";
import { Dispatcher } from "./rpc/dispatcher.ts";
import { EventWriter } from "./rpc/event_writer.ts";
import { LineWriter } from "./rpc/line_writer.ts";
import { readRequests } from "./rpc/server.ts";
import { TrustDesk } from "./rpc/trust_desk.ts";

/** How long to wait before loading what the first turn needs, in milliseconds. */
const PRELOAD_DELAY_MS = 20;

/** How long a client may take to read what is left when rho ends, in milliseconds. */
const LAST_WRITE_MS = 10_000;

/** What an {@linkcode App} is put together from. */
interface AppParts {
  readonly io: AppIo;
  readonly writer: LineWriter;
  readonly events: EventWriter;
  readonly desk: ApprovalDesk;
  readonly built: BuiltAgent;
  /** Whether nobody asked to go on with an older session. */
  readonly isNewSession: boolean;
}

/** Everything of one rho that serves the protocol, put together. */
export class App {
  readonly #parts: AppParts;
  readonly #dispatcher: Dispatcher;
  #isHintDue: boolean;
  #stopping: Promise<void> | undefined;

  private constructor(parts: AppParts) {
    const { built, desk, writer } = parts;
    const { agent, extensions, root, home, settings, trust: store, logger } = built;
    this.#parts = parts;
    this.#isHintDue = parts.isNewSession;
    this.#dispatcher = new Dispatcher({
      context: {
        agent,
        desk,
        extensions,
        trust: new TrustDesk({ root, home, settings, store }),
        root,
        version: VERSION,
        logger,
      },
      logger,
      send: (message) => writer.send(JSON.stringify(message)),
    });
  }

  /**
   * Builds rho from flags and environment. Nothing is contacted, nothing written.
   *
   * @param onOutputClosed Called once when nobody reads the output any more.
   * @throws {StartupError|ConfigError|ConsentError|SessionError} with one line that says what to do.
   */
  static async start(
    options: CliOptions,
    setup: { readonly io: AppIo; readonly onOutputClosed?: () => void },
  ): Promise<App> {
    const { io, onOutputClosed } = setup;
    const writer = new LineWriter({
      sink: io.stdout,
      ...(onOutputClosed === undefined ? {} : { onClosed: onOutputClosed }),
    });
    const events = new EventWriter(writer);
    const desk = new ApprovalDesk();
    const built = await buildAgent(options, {
      io,
      gate: desk.gate,
      onEvent: (event) => events.send(event),
    });
    const isNewSession = options.session === undefined && !options.continueLatest;
    return new App({ io, writer, events, desk, built, isNewSession });
  }

  /** Says `ready`, serves requests until the input ends and everything asked is answered. */
  async serve(): Promise<void> {
    const { io, desk, events, built } = this.#parts;
    events.ready({
      version: VERSION,
      protocol: PROTOCOL_VERSION,
      sessionId: built.session.id,
      sessionPath: built.session.savePath ?? "",
    });
    const preload = setTimeout(() => this.#preload(), PRELOAD_DELAY_MS);
    try {
      await readRequests(io.stdin, this.#dispatcher);
      await this.#showHint();
      // Nobody can answer from here on.
      desk.close();
      await this.#dispatcher.idle();
    } finally {
      clearTimeout(preload);
    }
  }

  /**
   * Ends rho: cancels what runs, ends the commands it started, closes the session, and waits until
   * the client has read the rest. Safe to call again.
   */
  stop(reason: string): Promise<void> {
    return this.#stopping ??= this.#stop(reason);
  }

  async #stop(reason: string): Promise<void> {
    const { desk, built, writer } = this.#parts;
    built.agent.abort();
    desk.close();
    const killed = built.closeTools();
    await this.#dispatcher.idle();
    await killed;
    await built.agent.close(reason);
    built.closeRequestLog();
    const done = new AbortController();
    await Promise.race([
      writer.flush().finally(() => done.abort()),
      delay(LAST_WRITE_MS, { signal: done.signal }).catch(() => {}),
    ]);
  }

  /** Tells a person, once, that a new session began beside older ones. */
  async #showHint(): Promise<void> {
    if (!this.#isHintDue) return;
    this.#isHintDue = false;
    const { sessionHint } = await (import("./cli/session_hint.ts" as string) as Promise<
      typeof import("./cli/session_hint.ts")
    >);
    const hint = sessionHint(this.#parts.built.session);
    if (hint !== undefined) this.#parts.io.stderr(hint);
  }

  /** Loads what the first turn needs while the client still thinks. */
  #preload(): void {
    Promise.all([
      this.#showHint(),
      this.#parts.built.preload(),
      import("./rpc/param_check.ts" as string) as Promise<typeof import("./rpc/param_check.ts")>,
    ]).catch(() => {
      // The first turn will meet the same failure and report it.
    });
  }
}
