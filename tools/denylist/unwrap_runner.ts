import { type InnerCommands, optionValue, readOptions } from "./inner_commands.ts";
import { type CommandUse, literalWord, RUNTIME, scriptText, type ShellWord } from "./shell_word.ts";

const UNKNOWN_WORD: ShellWord = { text: RUNTIME, knownFrom: RUNTIME.length, isLoose: true };

/** The commands inside of `xargs`, `find -exec`, `parallel`, `fd -x`, and of some of git. */
export function unwrapRunner(name: string, use: CommandUse): InnerCommands | undefined {
  switch (name) {
    case "xargs":
      return unwrapXargs(use);
    case "parallel":
      return unwrapParallel(use);
    case "find":
      return { commands: execCommands(use, /^-(?:exec|execdir|ok|okdir)$/) };
    case "fd":
    case "fdfind":
      return { commands: execCommands(use, /^(?:-x|-X|--exec|--exec-batch)$/) };
    case "git":
      return unwrapGit(use);
    default:
      return undefined;
  }
}

function unwrapXargs(use: CommandUse): InnerCommands {
  const { words, input } = use;
  const found = readOptions(words, 1, {
    short: "aEILnPsdJRS",
    long: [
      "arg-file",
      "delimiter",
      "max-args",
      "max-procs",
      "max-chars",
      "max-lines",
      "process-slot-var",
    ],
  });
  const inner = words.slice(found.next);
  if (inner.length === 0) return {};
  const token = optionValue(found, "-I", "-J") || optionValue(found, "--replace") ||
    (optionValue(found, "-i", "--replace") === undefined ? undefined : "{}");
  if (token !== undefined) {
    return { commands: [{ ...use, words: fill(inner, token), hasMoreWords: false }] };
  }
  // What the words from a known input are can be told.
  const more = input.type === "text" ? input.text.split(/\s+/).filter((word) => word !== "") : [];
  return {
    commands: [{
      ...use,
      words: [...inner, ...more.map(literalWord)],
      input: { type: "plain" },
      hasMoreWords: input.type !== "text",
    }],
  };
}

/** Puts an unknown word in the place of a token. */
function fill(words: readonly ShellWord[], token: string): ShellWord[] {
  return words.map((word) => {
    const at = word.text.lastIndexOf(token);
    if (at === -1) return word;
    return {
      text: word.text.replaceAll(token, () => RUNTIME),
      knownFrom: Math.max(word.knownFrom, word.text.length),
      isLoose: word.text === token,
    };
  });
}

function unwrapParallel(use: CommandUse): InnerCommands {
  const { words } = use;
  const found = readOptions(words, 1, {
    short: "jaICdNnLPsSW",
    long: ["jobs", "arg-file", "colsep", "delay", "timeout", "results", "joblog", "retries"],
  });
  const rest = words.slice(found.next);
  const marks = rest.findIndex(({ text }) => /^:::/.test(text));
  const template = marks === -1 ? rest : rest.slice(0, marks);
  const values = marks === -1 ? [] : rest.slice(marks + 1);
  const asScript = (text: string) =>
    ({ text: scriptText(text), language: "posix", input: { type: "plain" } }) as const;
  if (template.length === 0) {
    if (marks !== -1) return { scripts: values.map(({ text }) => asScript(text)) };
    return { question: 'what "parallel" starts comes from its input' };
  }
  const text = template.map((word) => word.text.replaceAll("{}", () => RUNTIME)).join(" ");
  return { scripts: [asScript(text)] };
}

/** What stands between `-exec` and `;` or `+`. */
function execCommands(use: CommandUse, start: RegExp): CommandUse[] {
  const commands: CommandUse[] = [];
  const { words } = use;
  for (let at = 1; at < words.length; at++) {
    if (!start.test(words[at]?.text ?? "")) continue;
    let end = at + 1;
    while (end < words.length && words[end]?.text !== ";" && !isPlusEnd(words, end)) end += 1;
    const inner = fill(words.slice(at + 1, end), "{}");
    commands.push({ ...use, words: inner.length === 0 ? [UNKNOWN_WORD] : inner });
    at = end;
  }
  return commands;
}

function isPlusEnd(words: readonly ShellWord[], at: number): boolean {
  return words[at]?.text === "+" && words[at - 1]?.text === "{}";
}

/** Git runs commands for each submodule, each commit, and under names of one's own. */
function unwrapGit(use: CommandUse): InnerCommands {
  const { words } = use;
  const found = readOptions(words, 1, {
    short: "Cc",
    long: ["git-dir", "work-tree", "namespace", "exec-path", "config-env"],
  });
  const scripts = found.options
    .filter(({ name, value }) => name === "-c" && /^alias\.[^=]*=!/i.test(value))
    .map(({ value }) => value.slice(value.indexOf("!") + 1));
  const rest = words.slice(found.next);
  const texts = rest.map(({ text }) => text);
  const after = (from: number) => texts.slice(from).filter((text) => !text.startsWith("--"));
  if (texts[0] === "submodule" && texts.includes("foreach")) {
    scripts.push(after(texts.indexOf("foreach") + 1).join(" "));
  } else if (texts[0] === "bisect" && texts[1] === "run") scripts.push(texts.slice(2).join(" "));
  else if (texts[0] === "rebase" || texts[0] === "filter-branch") {
    for (const [index, text] of texts.entries()) {
      if (/^(?:-x|--exec|--[a-z]+-filter)$/.test(text)) scripts.push(texts[index + 1] ?? "");
      else if (text.startsWith("--exec=")) scripts.push(text.slice("--exec=".length));
    }
  }
  const { input, variables } = use;
  return {
    scripts: scripts.map((text) => ({
      text: scriptText(text),
      language: "posix",
      input,
      ...(variables === undefined ? {} : { variables }),
    })),
  };
}
