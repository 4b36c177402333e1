import type { AgentEventMap } from "../agent/events.ts";
import type { Logger } from "../base/log.ts";
import {
  type ContextFileProblem,
  type ContextFiles,
  contextFilesLimitBytes,
  loadContextFiles,
} from "../config/context_files.ts";
import type { Settings } from "../config/settings.ts";
import type { TrustStore } from "../security/trust_store.ts";
import { systemPrompt } from "../../prompts/system_prompt.ts";
import type { ToolNotesParts } from "../../prompts/tool_notes.ts";
import { chooseShell, ShellNotFoundError } from "../../tools/shell/shell_choice.ts";
import type { CliOptions } from "./cli_options.ts";
import { promptReplacement } from "./startup_settings.ts";

/** What the system prompt is made from besides the flags. */
export interface PromptFacts {
  /** The canonical project root. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly trust: TrustStore;
  readonly logger: Logger;
  /** Masks secrets in context files. */
  readonly redact: (text: string) => string;
  /** What there is to say about tools. */
  readonly tools?: ToolNotesParts;
  /** Takes what people should know about context files, each thing once. */
  readonly onNotice: (notice: AgentEventMap["notice"]) => void;
}

/** Makes system prompts: the same one again as long as files and day are the same. */
export class PromptComposer {
  readonly #options: CliOptions;
  readonly #facts: PromptFacts;
  readonly #replacement: string | undefined;
  readonly #shell: string | undefined;
  readonly #told = new Set<string>();

  private constructor(
    options: CliOptions,
    facts: PromptFacts,
    replacement: string | undefined,
  ) {
    this.#options = options;
    this.#facts = facts;
    this.#replacement = replacement;
    this.#shell = shellName(facts);
  }

  /**
   * Reads what stays the same for all prompts.
   *
   * @throws {StartupError} when `--system-file` cannot be read.
   */
  static async open(options: CliOptions, facts: PromptFacts): Promise<PromptComposer> {
    return new PromptComposer(options, facts, await promptReplacement(options, facts.cwd));
  }

  /** Makes a prompt with the context files as they are now. */
  async compose(): Promise<string> {
    const { root, settings, redact, tools } = this.#facts;
    const { files } = await this.#contextFiles();
    return systemPrompt({
      style: this.#options.compact ? "compact" : "base",
      ...(this.#replacement === undefined ? {} : { replacement: this.#replacement }),
      contextFiles: files.map(({ path, text }) => ({ path, text: redact(text) })),
      environment: {
        root,
        os: Deno.build.os,
        epochMs: Date.now(),
        ...(this.#shell === undefined ? {} : { shell: this.#shell }),
      },
      ...(tools === undefined ? {} : { tools }),
      extensions: settings.promptExtensions,
    });
  }

  async #contextFiles(): Promise<ContextFiles> {
    if (this.#options.noContextFiles === true) return { files: [], pending: [], problems: [] };
    const { root, settings, trust } = this.#facts;
    const found = await loadContextFiles({
      root,
      scanList: settings.scanList,
      store: trust,
      maxBytes: contextFilesLimitBytes(settings.agent),
    });
    if (found.pending.length > 0) this.#tell("trust_pending", pendingMessage(found.pending));
    for (const { path, problem } of found.problems) {
      this.#tell("context_file", `The context file "${path}" ${PROBLEMS[problem]}`);
    }
    return found;
  }

  #tell(code: string, message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#facts.onNotice({ code, level: "warn", message });
  }
}

const PROBLEMS: Readonly<Record<ContextFileProblem, string>> = {
  outside: "is left out: a link leads out of the project",
  not_a_file: "is left out: it is no file that can be read",
  not_text: "is left out: it is not UTF-8 text",
  too_large: "is left out: it is larger than 1 MiB",
  cut: "is cut: context files may fill a quarter of the prompt, and 64 KiB at most",
};

function pendingMessage(pending: readonly string[]): string {
  const names = pending.map((path) => `"${path}"`).join(", ");
  return `Nobody has reviewed ${names}; left out of the prompt. To review, run: rho trust`;
}

function shellName({ settings, env, logger }: PromptFacts): string | undefined {
  try {
    return chooseShell(settings.shell, { env }).name;
  } catch (error) {
    if (!(error instanceof ShellNotFoundError)) throw error;
    logger.warn(error.message);
    return undefined;
  }
}
