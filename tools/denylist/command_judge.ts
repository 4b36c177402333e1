import type { DenylistSettings } from "../../core/config/settings.ts";
import type { CallVerdict } from "../tool.ts";
import { ApprovedCommands } from "./approved_commands.ts";
import type { InnerCommands, InnerScript } from "./inner_commands.ts";
import { isRuntimeName, programName } from "./program_name.ts";
import { readScript } from "./read_script.ts";
import { RuleSet } from "./rule_set.ts";
import {
  type CommandUse,
  literalWord,
  RUNTIME,
  type ScriptInput,
  type ScriptLanguage,
  scriptText,
  showWord,
} from "./shell_word.ts";
import { unwrapRunner } from "./unwrap_runner.ts";
import { unwrapShell } from "./unwrap_shell.ts";
import { unwrapWindows } from "./unwrap_windows.ts";
import { unwrapWrapper } from "./unwrap_wrapper.ts";
import { scanWords } from "./word_scan.ts";

/** Options of {@linkcode CommandJudge}. */
export interface CommandJudgeOptions {
  readonly denylist: DenylistSettings;
  /**
   * Commands that run unasked.
   * @default {[]}
   */
  readonly approvedCommands?: readonly string[];
  /** @default {Deno.build.os} */
  readonly os?: typeof Deno.build.os;
}

/** A command line for a shell. */
export interface ShellCommand {
  readonly command: string;
  readonly language: ScriptLanguage;
  /** What is given to it on its standard input. */
  readonly stdin?: string;
}

const MAX_SCRIPTS = 100;
const MAX_COMMANDS = 10_000;
const MAX_SHOWN_UNITS = 120;

type Finding =
  | { readonly type: "denied"; readonly rule: string; readonly command: string }
  | { readonly type: "question"; readonly reason: string };

/**
 * Judges commands before they run: the one denylist for the model's commands, extensions and cargo.
 * Every command in a line counts, however it is wrapped. A safety net, not a wall: what a program
 * does once it runs is out of reach.
 */
export class CommandJudge {
  readonly #rules: RuleSet;
  readonly #onDenied: DenylistSettings["onDenied"];
  readonly #approved: ApprovedCommands;

  constructor(options: CommandJudgeOptions) {
    this.#rules = new RuleSet(options);
    this.#onDenied = options.denylist.onDenied;
    this.#approved = new ApprovedCommands(options.approvedCommands ?? []);
  }

  /** Judges a line for a shell. The first one loads a grammar. */
  async judgeShell(line: ShellCommand): Promise<CallVerdict> {
    const input = inputOf(line.stdin);
    const script = { text: line.command, language: line.language, input };
    const finding = await this.#judge({ scripts: [script] });
    if (finding !== undefined) return this.#verdict(finding);
    return { type: "allowed", isApproved: await this.#approved.covers(line) };
  }

  /** Judges a program that is started without a shell. */
  async judgeProgram(
    program: string,
    args: readonly string[],
    options: { readonly stdin?: string } = {},
  ): Promise<CallVerdict> {
    const words = [program, ...args].map(literalWord);
    const input = inputOf(options.stdin);
    const finding = await this.#judge({ commands: [{ words, language: "posix", input }] });
    return finding === undefined ? { type: "allowed", isApproved: false } : this.#verdict(finding);
  }

  #verdict(finding: Finding): CallVerdict {
    if (finding.type === "question") {
      return { type: "ask", reason: `the command cannot be judged: ${finding.reason}` };
    }
    const { rule, command } = finding;
    const reason = `the command denylist refuses "${shorten(showWord(command))}" (rule "${rule}")`;
    return this.#onDenied === "ask" ? { type: "ask", reason } : { type: "refused", rule, reason };
  }

  /** The first denial in it, or else the first question. */
  async #judge(start: InnerCommands): Promise<Finding | undefined> {
    const scripts: InnerScript[] = [];
    const commands: CommandUse[] = [];
    let question: string | undefined;
    let scriptCount = 0;
    let commandCount = 0;
    const add = (inner: InnerCommands) => {
      scripts.push(...inner.scripts ?? []);
      commands.push(...inner.commands ?? []);
      question ??= inner.question;
    };
    add(start);
    while (commands.length > 0 || scripts.length > 0) {
      const command = commands.pop();
      if (command !== undefined) {
        if (commandCount++ > MAX_COMMANDS) return tooDeep();
        const found = this.#judgeCommand(command, add);
        if (found?.type === "denied") return found;
        question ??= found?.reason;
        continue;
      }
      const script = scripts.shift();
      if (script === undefined) continue;
      if (scriptCount++ > MAX_SCRIPTS) return tooDeep();
      const denied = await this.#judgeScript(script, add);
      if (denied !== undefined) return denied;
    }
    return question === undefined ? undefined : { type: "question", reason: question };
  }

  async #judgeScript(
    script: InnerScript,
    add: (inner: InnerCommands) => void,
  ): Promise<Finding | undefined> {
    const { text, language } = script;
    const reading = await readScript(script);
    for (const { text: path } of reading.redirects) {
      const rule = this.#rules.deniedRedirect(path);
      if (rule !== undefined) return { type: "denied", rule, command: path };
    }
    for (const typeText of reading.typeTexts) {
      const rule = this.#rules.deniedType(typeText);
      if (rule !== undefined) return { type: "denied", rule, command: typeText };
    }
    if (!reading.isSound) {
      const hit = scanWords(text, { rules: this.#rules, language });
      const type = language === "powershell" ? this.#rules.deniedType(text) : undefined;
      if (hit !== undefined) return { type: "denied", ...hit };
      if (type !== undefined) return { type: "denied", rule: type, command: text };
    }
    const [question] = reading.questions;
    const further = reading.scripts.map((inner) => ({ ...script, text: scriptText(inner) }));
    const other = language === "posix" ? otherReading(text) : undefined;
    if (other !== undefined) further.push({ ...script, text: other });
    add({
      commands: reading.commands,
      scripts: further,
      ...(question === undefined ? {} : { question }),
    });
    return undefined;
  }

  #judgeCommand(
    use: CommandUse,
    add: (inner: InnerCommands) => void,
  ): Finding | undefined {
    const [first] = use.words;
    if (first === undefined) return undefined;
    const texts = use.words.map(({ text }) => text);
    const rule = this.#rules.deniedBy(texts, use.language);
    if (rule !== undefined) return { type: "denied", rule, command: texts.join(" ") };
    if (isRuntimeName(first)) {
      const shown = shorten(showWord(texts.join(" ")));
      return {
        type: "question",
        reason: `the name of the command in "${shown}" only exists when it runs`,
      };
    }
    const name = programName(first.text);
    if (name === "dd" && texts.some((text) => text.startsWith(`of=${RUNTIME}`))) {
      return { type: "question", reason: "where dd writes to only exists when it runs" };
    }
    const inner = unwrapShell(name, use) ?? unwrapWrapper(name, use) ??
      unwrapRunner(name, use) ?? unwrapWindows(name, use);
    if (inner !== undefined) add(inner);
    return undefined;
  }
}

/**
 * The same script where the grammar reads it in another way than a shell does: a line break behind
 * a backslash ends a word for it, and `! {` is a command for it. Both readings are judged, since in
 * a comment or a text they may be right after all.
 */
function otherReading(text: string): string | undefined {
  const other = text
    .replace(/(?<![\s\\])\\\r?\n(?=\S)/g, "")
    .replace(
      /(^|[\s;|&({])!\s+(?=[{(]|(?:if|while|until|for|case)\s)/g,
      (_, before: string) => before,
    );
  return other === text ? undefined : other;
}

function inputOf(stdin: string | undefined): ScriptInput {
  return stdin === undefined ? { type: "plain" } : { type: "text", text: stdin };
}

function tooDeep(): Finding {
  return { type: "question", reason: "it holds too many commands inside of each other" };
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= MAX_SHOWN_UNITS
    ? line
    : `${line.slice(0, MAX_SHOWN_UNITS).trimEnd().toWellFormed()}…`;
}
