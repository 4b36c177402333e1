import {
  type FoundOptions,
  type InnerCommands,
  type InnerScript,
  optionValue,
  readOptions,
} from "./inner_commands.ts";
import { type CommandUse, scriptText } from "./shell_word.ts";
import { fromInput } from "./unwrap_shell.ts";
import { WRAPPERS, type WrapperSpec } from "./wrapper_table.ts";

const ASSIGNMENT_REGEXP = /^[A-Za-z_]\w*=/;

/** The command or script inside of `sudo`, `env`, `timeout` and their like. */
export function unwrapWrapper(name: string, use: CommandUse): InnerCommands | undefined {
  const spec = WRAPPERS.get(name);
  if (spec === undefined) return undefined;
  const { words } = use;
  let from = 1;
  if (spec.subcommands !== undefined) {
    if (!spec.subcommands.includes(words[1]?.text ?? "")) return {};
    from = 2;
  }
  const found = spec.isMixed ? readMixed(words, from, spec) : readOptions(words, from, spec);
  if (spec.harmless !== undefined && optionValue(found, ...spec.harmless) !== undefined) return {};
  const scripts = found.options
    .filter(({ name: option }) => spec.scriptOptions?.includes(option))
    .map(({ value }) => innerScript(value, use));
  let at = skipAssignments(found.next, use, spec) + (spec.operands ?? 0);
  at = skipDashes(skipAssignments(at, use, spec), use);
  // `env -S "rm -rf"` goes on with the operands.
  const rest = words.slice(at);
  if (spec.scriptOptions?.includes(rest[0]?.text ?? "")) {
    return { scripts: [...scripts, innerScript(rest[1]?.text ?? "", use)] };
  }
  if (rest.length === 0) return withoutCommand(scripts, use, { spec, name, found });
  if (spec.isScript) {
    const text = rest.map((word) => word.text).join(" ");
    return { scripts: [...scripts, innerScript(text, use)] };
  }
  const [split] = scripts;
  if (name === "env" && split !== undefined) {
    const text = [split.text, ...rest.map((word) => scriptText(word.text))].join(" ");
    return { scripts: [{ ...split, text }] };
  }
  return { scripts, commands: [{ ...use, words: rest }] };
}

/** Options in front of, between and behind operands. */
function readMixed(
  words: CommandUse["words"],
  from: number,
  spec: WrapperSpec,
): FoundOptions {
  const options: { readonly name: string; readonly value: string }[] = [];
  let at = from;
  while (at < words.length) {
    const found = readOptions(words, at, spec);
    options.push(...found.options);
    at = found.next + 1;
  }
  return { next: words.length, options };
}

function innerScript(text: string, use: CommandUse): InnerScript {
  const { input, variables } = use;
  return {
    text: scriptText(text),
    language: "posix",
    input,
    ...(variables === undefined ? {} : { variables }),
  };
}

function skipAssignments(from: number, use: CommandUse, spec: WrapperSpec): number {
  let at = from;
  // A lone dash is the short form of `env -i`.
  while (
    spec.assignments &&
    (ASSIGNMENT_REGEXP.test(use.words[at]?.text ?? "") || use.words[at]?.text === "-")
  ) at += 1;
  return at;
}

function skipDashes(from: number, use: CommandUse): number {
  return use.words[from]?.text === "--" ? from + 1 : from;
}

function withoutCommand(
  scripts: readonly InnerScript[],
  use: CommandUse,
  wrapper: {
    readonly spec: WrapperSpec;
    readonly name: string;
    readonly found: FoundOptions;
  },
): InnerCommands {
  const { spec, name, found } = wrapper;
  if (scripts.length > 0) return { scripts };
  if (use.hasMoreWords) return { question: `what "${name}" starts comes from its input` };
  const isShell = spec.isShell === true ||
    (name === "sudo" && optionValue(found, "-s", "-i", "--shell", "--login") !== undefined);
  return isShell ? fromInput(name, use) : {};
}
