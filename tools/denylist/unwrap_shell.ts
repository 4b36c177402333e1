import {
  type InnerCommands,
  type InnerScript,
  optionValue,
  readOptions,
} from "./inner_commands.ts";
import {
  type CommandUse,
  PIPE_FILE,
  PLAIN_INPUT,
  type ScriptLanguage,
  scriptText,
} from "./shell_word.ts";

const SHELLS: ReadonlySet<string> = new Set([
  "sh",
  "bash",
  "rbash",
  "dash",
  "ash",
  "zsh",
  "ksh",
  "mksh",
  "csh",
  "tcsh",
  "fish",
]);

const STDIN_FILES: ReadonlySet<string> = new Set([
  "-",
  "/dev/stdin",
  "/dev/fd/0",
  "/proc/self/fd/0",
]);

/** Commands that run their standard input as a script. */
const STDIN_RUNNERS: ReadonlySet<string> = new Set(["at", "batch"]);

/** The script inside of `sh -c`, `eval`, `trap`, `source`, `alias`, and of what is piped into them. */
export function unwrapShell(name: string, use: CommandUse): InnerCommands | undefined {
  if (SHELLS.has(name)) return unwrapShellCall(name, use);
  const operands = use.words.slice(1);
  const texts = operands.map(({ text }) => text);
  switch (name) {
    case "eval":
      return { scripts: [script((texts[0] === "--" ? texts.slice(1) : texts).join(" "), use)] };
    case "trap":
      return texts.length < 2 || texts[0]?.startsWith("-")
        ? {}
        : { scripts: [script(texts[0] ?? "", use)] };
    case "alias":
      return {
        scripts: texts.filter((text) => text.includes("="))
          .map((text) => script(text.slice(text.indexOf("=") + 1), use)),
      };
    case "source":
    case ".":
      return runsFile(texts[0] ?? "", name, use);
    default:
      return STDIN_RUNNERS.has(name) ? fromInput(name, use) : undefined;
  }
}

/** What a command runs that takes its script from its standard input. */
export function fromInput(
  name: string,
  use: CommandUse,
  language: ScriptLanguage = "posix",
): InnerCommands {
  switch (use.input.type) {
    case "text": {
      const { text, escaped } = use.input;
      return {
        scripts: (escaped === undefined ? [text] : [text, escaped])
          .map((version) => ({ ...script(version, use), language, input: PLAIN_INPUT })),
      };
    }
    case "unknown":
      return { question: `"${name}" runs what comes from a pipe` };
    case "plain":
      return {};
  }
}

function unwrapShellCall(name: string, use: CommandUse): InnerCommands {
  // `+x` takes an option back and stands where options stand.
  const words = use.words.filter((word, index) =>
    !(word.text.startsWith("+") && index > 0 && use.words[index - 1]?.text.startsWith("-"))
  );
  const isFish = name === "fish";
  const found = readOptions(words, 1, {
    short: isFish ? "cCdDf" : "oO",
    long: ["rcfile", "init-file", ...(isFish ? ["command", "init-command"] : [])],
  });
  const isCommand = optionValue(found, "-c", "--command") !== undefined;
  if (isFish && isCommand) {
    const texts = found.options.filter(({ name: option }) =>
      /^(?:-[cC]|--.*command)$/.test(option)
    );
    return { scripts: texts.map(({ value }) => script(value, use)) };
  }
  let at = found.next;
  while (words[at]?.text.startsWith("+")) at += words[at]?.text.endsWith("o") ? 2 : 1;
  const operand = words[at];
  if (isCommand) {
    if (operand !== undefined) return { scripts: [script(operand.text, use)] };
    return use.hasMoreWords ? { question: `what "${name} -c" runs comes from its input` } : {};
  }
  if (optionValue(found, "--version", "--help") !== undefined) return {};
  const readsInput = operand === undefined || optionValue(found, "-s") !== undefined;
  if (readsInput) return use.hasMoreWords ? {} : fromInput(name, use);
  return runsFile(operand.text, name, use);
}

function runsFile(file: string, name: string, use: CommandUse): InnerCommands {
  if (file.includes(PIPE_FILE)) return { question: `"${name}" runs what comes from a pipe` };
  return STDIN_FILES.has(file) ? fromInput(name, use) : {};
}

function script(text: string, use: CommandUse): InnerScript {
  const { input, variables } = use;
  return {
    text: scriptText(text),
    language: "posix",
    input,
    ...(variables === undefined ? {} : { variables }),
  };
}
