import { abortable, delay } from "../base/abort.ts";
import { encodeUtf8 } from "../base/text.ts";
import { PROTOCOL_VERSION, VERSION } from "../base/version.ts";
import { denyAll } from "../agent/approval_gate.ts";
import type { AgentEvent, TurnResult } from "../agent/events.ts";
import { TurnCancelledError, TurnError } from "../agent/turn_error.ts";
import { EventWriter } from "../rpc/event_writer.ts";
import { LineWriter } from "../rpc/line_writer.ts";
import type { AppIo } from "./app_io.ts";
import { buildAgent, type BuiltAgent } from "./build_agent.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { type EarlyEnd, onEndSignal } from "./process_io.ts";
import { ReasoningView } from "./reasoning_view.ts";
import { parseRunCommandLine, RUN_HELP, type RunArguments } from "./run_command_line.ts";
import { runPrompt } from "./run_prompt.ts";
import { type FailedTurn, failureOf, outcomeOf, TurnWatch } from "./turn_outcome.ts";

/** How long a reader may take for what is left when rho ends, in milliseconds. */
const LAST_WRITE_MS = 10_000;

/**
 * `rho run`: one turn, the reply on stdout, diagnostics on stderr. Nobody is asked: what the policy
 * and `--approve` do not let run is denied.
 *
 * @param args What follows the word "run".
 * @returns the exit code.
 * @throws {UsageError|StartupError|ConfigError|ConsentError|SessionError} before the turn.
 */
export async function runRunCommand(args: readonly string[], io: AppIo): Promise<number> {
  const parsed = parseRunCommandLine(args);
  if (parsed !== "help") return await new OneShot(parsed, io).run();
  await writeAll(io, RUN_HELP);
  return EXIT_CODES.ok;
}

class OneShot {
  readonly #args: RunArguments;
  readonly #io: AppIo;
  readonly #cancel = new AbortController();
  readonly #lines: LineWriter;
  readonly #events: EventWriter;
  readonly #watch = new TurnWatch();
  #reasoning: ReasoningView | undefined;
  #early: EarlyEnd | undefined;

  constructor(args: RunArguments, io: AppIo) {
    this.#args = args;
    this.#io = io;
    this.#lines = new LineWriter({ sink: io.stdout, onClosed: () => this.#end(OUTPUT_CLOSED) });
    this.#events = new EventWriter(this.#lines);
  }

  async run(): Promise<number> {
    const { options } = this.#args;
    const built = await buildAgent(options, {
      io: this.#io,
      gate: denyAll,
      onEvent: (event) => this.#take(event),
    });
    onEndSignal((early) => this.#end(early));
    try {
      const exitCode = await this.#turn(built);
      return this.#early?.exitCode ?? exitCode;
    } catch (error) {
      // Cancelled before there was a turn, while the prompt was read.
      if (this.#early !== undefined) return this.#early.exitCode;
      throw error;
    } finally {
      await built.closeTools();
      await built.agent.close(this.#early?.reason ?? "run");
      built.closeRequestLog();
      await this.#flush();
    }
  }

  async #turn(built: BuiltAgent): Promise<number> {
    const { agent, session, settings, redactor, logger } = built;
    const { signal } = this.#cancel;
    const redact = (text: string) => settings.redaction.enabled ? redactor.redact(text) : text;
    const prompt = await abortable(runPrompt(this.#args, { io: this.#io, redact }), signal);
    if (settings.agent.showReasoning) {
      this.#reasoning = new ReasoningView(redactor, this.#io.stderr);
    }
    if (this.#args.output === "events") {
      this.#events.ready({
        version: VERSION,
        protocol: PROTOCOL_VERSION,
        sessionId: session.id,
        sessionPath: session.savePath ?? "",
      });
    }
    let outcome;
    try {
      const result = await agent.run(prompt, { signal });
      outcome = outcomeOf(result);
      await this.#print(result);
    } catch (error) {
      if (!(error instanceof TurnError)) throw error;
      outcome = failureOf(error);
      await this.#print(this.#watch.failed(error));
    } finally {
      this.#reasoning?.end();
    }
    if (outcome.message !== undefined) logger.error(outcome.message);
    return outcome.exitCode;
  }

  /** What of a turn goes to stdout when it is over. */
  async #print(turn: TurnResult | FailedTurn): Promise<void> {
    const { reply } = turn;
    switch (this.#args.output) {
      case "events":
        return;
      case "json":
        return await this.#write(`${JSON.stringify(turn)}\n`);
      case "reply":
        if (reply !== "") await this.#write(reply.endsWith("\n") ? reply : `${reply}\n`);
    }
  }

  async #write(text: string): Promise<void> {
    try {
      await writeAll(this.#io, text);
    } catch {
      // Nobody reads the output any more.
      this.#end(OUTPUT_CLOSED);
    }
  }

  #take(event: AgentEvent): void | Promise<void> {
    this.#watch.observe(event);
    this.#reasoning?.observe(event);
    if (this.#args.output === "events") return this.#events.send(event);
  }

  #end(early: EarlyEnd): void {
    this.#early ??= early;
    this.#cancel.abort(new TurnCancelledError());
  }

  async #flush(): Promise<void> {
    const done = new AbortController();
    await Promise.race([
      this.#lines.flush().finally(() => done.abort()),
      delay(LAST_WRITE_MS, { signal: done.signal }).catch(() => {}),
    ]);
  }
}

const OUTPUT_CLOSED: EarlyEnd = { exitCode: EXIT_CODES.outputClosed, reason: "output_closed" };

async function writeAll(io: AppIo, text: string): Promise<void> {
  const bytes = encodeUtf8(text);
  for (let at = 0; at < bytes.length;) at += await io.stdout.write(bytes.subarray(at));
}
