import type { Node, Tree } from "web-tree-sitter";
import { FOLDERS, SCRIPT_VARIABLES } from "./bash_names.ts";
import { readBashWord, type WordHole } from "./bash_word.ts";
import { knownVariables } from "./bash_variables.ts";
import { printedText } from "./printed_text.ts";
import type { ScriptReading } from "./script_reading.ts";
import {
  type CommandUse,
  isLiteral,
  PLAIN_INPUT,
  type ScriptInput,
  type ShellWord,
  UNKNOWN_INPUT,
} from "./shell_word.ts";

/** Options of {@linkcode readBashScript}. */
export interface ReadBashOptions {
  /** What the script finds on its standard input. */
  readonly input: ScriptInput;
  /** Variables whose value is known from around the script. */
  readonly variables?: ReadonlyMap<string, string>;
}

const HOLE_TYPES: ReadonlySet<string> = new Set([
  "simple_expansion",
  "expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
]);

/** What a line may consist of that does nothing but start commands. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  "program",
  "list",
  "pipeline",
  "redirected_statement",
  "command",
  "comment",
]);

/** Reads every command of a script for a POSIX shell. The tree must be of the same source. */
export function readBashScript(
  source: string,
  tree: Tree,
  options: ReadBashOptions,
): ScriptReading {
  const root = tree.rootNode;
  const reader = new BashReader(source, knownVariables(root, options.variables));
  reader.visit(root, options.input);
  return {
    commands: reader.commands,
    redirects: reader.redirects,
    scripts: reader.scripts,
    isSound: !root.hasError,
    isPlain: !root.hasError && reader.isPlain,
    typeTexts: [],
    questions: [],
  };
}

class BashReader {
  readonly commands: CommandUse[] = [];
  readonly redirects: ShellWord[] = [];
  readonly scripts: string[] = [];
  isPlain = true;
  readonly #source: string;
  readonly #variables: ReadonlyMap<string, string>;

  constructor(source: string, variables: ReadonlyMap<string, string>) {
    this.#source = source;
    this.#variables = variables;
  }

  visit(node: Node, input: ScriptInput): void {
    if (node.isNamed && isStatement(node) && !PLAIN_TYPES.has(node.type)) this.isPlain = false;
    switch (node.type) {
      case "pipeline":
        return this.#pipeline(node, input);
      case "redirected_statement":
        return this.#redirected(node, input);
      case "command":
        return this.#command(node, input);
      case "function_definition":
        return this.#children(node, UNKNOWN_INPUT);
      case "process_substitution":
        // What is written into `>(…)` comes from somewhere else.
        return this.#children(node, node.text.startsWith(">") ? UNKNOWN_INPUT : PLAIN_INPUT);
      case "variable_assignment":
        this.#assignment(node);
        return this.#children(node, input);
      default:
        return this.#children(node, input);
    }
  }

  #children(node: Node, input: ScriptInput): void {
    for (const child of node.namedChildren) if (child !== null) this.visit(child, input);
  }

  #pipeline(node: Node, input: ScriptInput): void {
    let given = input;
    for (const stage of node.namedChildren) {
      if (stage === null) continue;
      this.visit(stage, given);
      given = this.#output(stage, given);
    }
  }

  /** What a stage prints, where that can be told. */
  #output(node: Node, input: ScriptInput): ScriptInput {
    if (node.type === "command") return printedText(this.#words(node), input);
    if (node.type === "pipeline") {
      let given = input;
      for (const stage of node.namedChildren) if (stage) given = this.#output(stage, given);
      return given;
    }
    if (node.type !== "redirected_statement") return UNKNOWN_INPUT;
    const body = node.childForFieldName("body");
    return body === null ? UNKNOWN_INPUT : this.#output(body, this.#redirectInput(node, input));
  }

  #redirected(node: Node, input: ScriptInput): void {
    const body = node.childForFieldName("body");
    const given = this.#redirectInput(node, input);
    const extra: Node[] = [];
    for (const child of node.namedChildren) {
      if (child === null || child.id === body?.id) continue;
      extra.push(...this.#redirect(child, { body, input: given }));
    }
    if (body === null) return;
    if (body.type === "command") this.#command(body, given, extra);
    else this.visit(body, given);
  }

  /** Records where a redirect leads, and returns words of the command that the grammar put there. */
  #redirect(
    node: Node,
    command: { readonly body: Node | null; readonly input: ScriptInput },
  ): Node[] {
    if (node.type === "file_redirect") {
      const [target, ...words] = node.childrenForFieldName("destination");
      if (target !== undefined) this.#target(node, target);
      return words;
    }
    this.isPlain = false;
    if (node.type !== "heredoc_redirect") {
      this.visit(node, PLAIN_INPUT);
      return [];
    }
    const words = node.childrenForFieldName("argument");
    for (const child of node.namedChildren) {
      if (child === null || words.some(({ id }) => id === child.id)) continue;
      if (child.type.endsWith("_redirect")) words.push(...this.#redirect(child, command));
      else if (child.type === "pipeline") {
        // `cat <<E | sh`: the grammar hangs the rest of the pipeline into the redirect.
        const { body, input } = command;
        this.#pipeline(child, body === null ? UNKNOWN_INPUT : this.#output(body, input));
      } else this.visit(child, PLAIN_INPUT);
    }
    return words;
  }

  #target(redirect: Node, target: Node): void {
    const [word] = this.#argument(target);
    if (word !== undefined) this.redirects.push(word);
    this.#nested(target);
    const isHarmless = /^\d*>&\s*[12]$/.test(redirect.text) || word?.text === "/dev/null";
    if (!isHarmless) this.isPlain = false;
  }

  #redirectInput(node: Node, input: ScriptInput): ScriptInput {
    let given = input;
    for (const redirect of redirectsOf(node)) {
      if (redirect.type === "herestring_redirect") {
        const value = redirect.namedChildren.at(-1);
        const texts = value ? this.#argument(value).map(({ text }) => text) : [];
        given = { type: "text", text: texts.join(" ") };
      } else if (redirect.type === "heredoc_redirect") {
        const body = redirect.namedChildren.find((child) => child?.type === "heredoc_body");
        given = { type: "text", text: body?.text ?? "" };
      } else if (/^0?</.test(redirect.text)) {
        const target = redirect.childForFieldName("destination");
        given = target?.type === "process_substitution" ? UNKNOWN_INPUT : PLAIN_INPUT;
      }
    }
    return given;
  }

  #command(node: Node, input: ScriptInput, extra: readonly Node[] = []): void {
    const more: Node[] = [];
    const given = this.#redirectInput(node, input);
    for (const child of node.namedChildren) {
      if (child?.type === "variable_assignment") this.visit(child, PLAIN_INPUT);
      else if (child?.type.endsWith("_redirect")) {
        more.push(...this.#redirect(child, { body: node, input: given }));
      } else if (child !== null) this.#nested(child);
    }
    for (const word of extra) this.#nested(word);
    const words = this.#words(node, [...more, ...extra]);
    if (words.length === 0) return;
    if (!words.every(isLiteral)) this.isPlain = false;
    this.commands.push({
      words,
      language: "posix",
      input: given,
      variables: this.#variables,
    });
  }

  #words(node: Node, extra: readonly Node[] = []): ShellWord[] {
    const name = node.childForFieldName("name");
    // `((…))` is arithmetic.
    if (name?.text.startsWith("((")) return [];
    const nodes = [...(name === null ? [] : [name]), ...node.childrenForFieldName("argument")];
    return [...nodes, ...extra].flatMap((argument) => this.#argument(argument));
  }

  #argument(node: Node): ShellWord[] {
    const { text } = node;
    // Looking for expansions costs more than all the rest; most words have none.
    return readBashWord(text, mayHoldExpansion(text) ? this.#holes(node) : [], node.startIndex);
  }

  /** Commands inside of a word; what is written into it has nothing to do with the input. */
  #nested(node: Node): void {
    if (!mayHoldExpansion(node.text)) return;
    if (node.type === "command_substitution" || node.type === "process_substitution") {
      return this.visit(node, PLAIN_INPUT);
    }
    for (const child of node.namedChildren) if (child !== null) this.#nested(child);
  }

  #assignment(node: Node): void {
    this.isPlain = false;
    const name = node.childForFieldName("name")?.text ?? "";
    const value = node.childForFieldName("value");
    if (value === null || !SCRIPT_VARIABLES.has(name)) return;
    this.scripts.push(this.#argument(value).map(({ text }) => text).join(" "));
  }

  #holes(node: Node): WordHole[] {
    if (HOLE_TYPES.has(node.type)) return [this.#hole(node)];
    return node.namedChildren.flatMap((child) => child === null ? [] : this.#holes(child));
  }

  #hole(node: Node): WordHole {
    const place = { start: node.startIndex, end: node.endIndex };
    if (node.type === "process_substitution") return { ...place, isPipe: true };
    if (node.type === "command_substitution") {
      const [only, second] = node.namedChildren;
      const printed = only && !second && only.type === "command"
        ? this.#output(only, PLAIN_INPUT)
        : UNKNOWN_INPUT;
      return printed.type === "text" ? { ...place, value: printed.text.trimEnd() } : place;
    }
    const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(this.#source.slice(place.start, place.end))?.[1];
    if (name === undefined) return place;
    const value = this.#variables.get(name) ?? (name === "IFS" ? " " : undefined);
    if (value !== undefined) return { ...place, value };
    return FOLDERS.has(name) ? { ...place, isFolder: true } : place;
  }
}

function mayHoldExpansion(text: string): boolean {
  return /[$`(]/.test(text);
}

function redirectsOf(node: Node): Node[] {
  return node.namedChildren.filter((child) => child !== null).filter((child) =>
    child.type.endsWith("_redirect")
  );
}

/** Whether a node is a statement or an expansion, not a word or a part of one. */
function isStatement(node: Node): boolean {
  return !node.type.endsWith("_redirect") && !/^(?:word|string|raw_string|number)$/.test(node.type);
}
