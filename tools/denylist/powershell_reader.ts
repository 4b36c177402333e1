import type { Node, Tree } from "web-tree-sitter";
import type { WordHole } from "./bash_word.ts";
import { readPowerShellWord } from "./powershell_word.ts";
import { printedText } from "./printed_text.ts";
import { programName } from "./program_name.ts";
import type { ScriptReading } from "./script_reading.ts";
import {
  type CommandUse,
  isLiteral,
  literalWord,
  RUNTIME,
  type ScriptInput,
  type ShellWord,
  UNKNOWN_INPUT,
} from "./shell_word.ts";

const HOLE_TYPES: ReadonlySet<string> = new Set([
  "variable",
  "sub_expression",
  "parenthesized_expression",
  "script_block_expression",
  "hash_literal_expression",
  "array_expression",
  "member_access",
  "invokation_expression",
  "element_access",
  "type_literal",
  "braced_variable",
]);

/** What a line may consist of that does nothing but start commands. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  "program",
  "statement_list",
  "pipeline",
  "pipeline_chain",
  "pipeline_chain_tail",
  "empty_statement",
  "command",
  "command_name",
  "command_elements",
  "command_argument_sep",
  "command_parameter",
  "generic_token",
  "array_literal_expression",
  "unary_expression",
  "string_literal",
  "verbatim_string_characters",
  "expandable_string_literal",
  "integer_literal",
  "decimal_integer_literal",
  "comment",
]);

/** Commands that look at texts and start nothing; names of types in them are only words. */
const TEXT_COMMANDS: ReadonlySet<string> = new Set([
  "select-string",
  "sls",
  "findstr",
  "grep",
  "rg",
  "git",
  "echo",
  "write-output",
  "write-host",
]);

/** Members that run a text or start a program. */
const RUNNING_CALL_REGEXP =
  /(?:scriptblock\]?::create|invokescript|invokecommand\.(?:invoke|newscriptblock)|\.createpipeline)\s*\(/i;
const PROCESS_REGEXP = /diagnostics\.process(?:startinfo)?\b/i;

/** Reads every command of a PowerShell script. The tree must be of the same source. */
export function readPowerShellScript(tree: Tree, input: ScriptInput): ScriptReading {
  const reader = new PowerShellReader();
  reader.visit(tree.rootNode, input);
  const text = tree.rootNode.text;
  return {
    commands: reader.commands,
    redirects: [],
    scripts: [],
    typeTexts: reader.typeTexts,
    isSound: !tree.rootNode.hasError,
    isPlain: !tree.rootNode.hasError && reader.isPlain,
    questions: RUNNING_CALL_REGEXP.test(text)
      ? ["it runs a text that only exists when it runs"]
      : [],
  };
}

class PowerShellReader {
  readonly commands: CommandUse[] = [];
  readonly typeTexts: string[] = [];
  isPlain = true;

  visit(node: Node, input: ScriptInput): void {
    if (node.isNamed && !PLAIN_TYPES.has(node.type)) this.isPlain = false;
    if (node.type === "pipeline_chain") return this.#pipeline(node, input);
    if (node.type === "command") return this.#command(node, input);
    for (const child of node.namedChildren) if (child !== null) this.visit(child, input);
  }

  #pipeline(node: Node, input: ScriptInput): void {
    let given = input;
    for (const stage of node.namedChildren) {
      if (stage === null) continue;
      this.visit(stage, given);
      if (stage.type === "command") given = printedText(this.#words(stage), given);
      else {
        this.#expression(stage);
        given = literalText(stage);
      }
    }
  }

  #expression(node: Node): void {
    this.isPlain = false;
    this.typeTexts.push(node.text);
    const start = PROCESS_REGEXP.test(node.text) ? node.descendantsOfType("string_literal") : [];
    if (start.length === 0) return;
    // A process that is started through .NET is Start-Process under another name.
    const words = start.map((string) => string === null ? "" : wordOf(string).text);
    this.commands.push({
      words: ["Start-Process", ...words].map(literalWord),
      language: "powershell",
      input: UNKNOWN_INPUT,
    });
  }

  #command(node: Node, input: ScriptInput): void {
    const words = this.#words(node);
    const [name] = words;
    if (name !== undefined) {
      if (!words.every(isLiteral)) this.isPlain = false;
      this.commands.push({ words, language: "powershell", input });
      if (!TEXT_COMMANDS.has(programName(name.text))) this.typeTexts.push(node.text);
    } else this.isPlain = false;
    for (const child of node.namedChildren) if (child !== null) this.visit(child, UNKNOWN_INPUT);
  }

  /** Name and arguments; none for a script block that is called on the spot. */
  #words(node: Node): ShellWord[] {
    const name = node.childForFieldName("command_name");
    if (name === null || name.text.trimStart().startsWith("{")) return [];
    const words = [wordOf(name)];
    const elements = node.childForFieldName("command_elements");
    let parts: Node[] = [];
    const finish = () => {
      if (parts.length > 0) words.push(joined(parts));
      parts = [];
    };
    for (const child of elements?.namedChildren ?? []) {
      if (child === null || child.type === "redirection") continue;
      if (child.type === "command_argument_sep") finish();
      else parts.push(child);
    }
    finish();
    return words;
  }
}

function joined(parts: readonly Node[]): ShellWord {
  let text = "";
  let knownFrom = 0;
  let isLoose = false;
  for (const part of parts) {
    const word = wordOf(part);
    if (word.knownFrom > 0) knownFrom = text.length + word.knownFrom;
    text += word.text;
    isLoose ||= word.isLoose;
  }
  return { text, knownFrom, isLoose };
}

function wordOf(node: Node): ShellWord {
  return readPowerShellWord(node.text, holesOf(node), node.startIndex);
}

function holesOf(node: Node): WordHole[] {
  if (HOLE_TYPES.has(node.type)) return [{ start: node.startIndex, end: node.endIndex }];
  return node.namedChildren.flatMap((child) => child === null ? [] : holesOf(child));
}

/** The text of an expression that is one string. */
function literalText(node: Node): ScriptInput {
  const strings = node.descendantsOfType("string_literal");
  const [only] = strings;
  if (strings.length !== 1 || !only || only.text !== node.text.trim()) return UNKNOWN_INPUT;
  const { text } = wordOf(only);
  return text === RUNTIME ? UNKNOWN_INPUT : { type: "text", text };
}
