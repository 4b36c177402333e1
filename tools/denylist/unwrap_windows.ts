import type { InnerCommands, InnerScript } from "./inner_commands.ts";
import { type CommandUse, isLiteral, scriptText } from "./shell_word.ts";
import { fromInput } from "./unwrap_shell.ts";

/** Parameters of `pwsh` and `powershell` that take a value; any unique start of a name counts. */
const VALUE_PARAMETERS: readonly string[] = [
  "configurationfile",
  "configurationname",
  "custompipename",
  "executionpolicy",
  "ep",
  "ex",
  "inputformat",
  "if",
  "outputformat",
  "of",
  "psconsolefile",
  "settingsfile",
  "windowstyle",
  "workingdirectory",
  "wd",
];

/** The script inside of `pwsh -Command`, `Invoke-Expression`, `cmd /c`. */
export function unwrapWindows(name: string, use: CommandUse): InnerCommands | undefined {
  switch (name) {
    case "pwsh":
    case "powershell":
      return unwrapPowerShell(name, use);
    case "cmd":
      return unwrapCmd(use);
    case "invoke-expression":
    case "iex":
      return unwrapInvokeExpression(name, use);
    case "set-alias":
    case "sal":
    case "new-alias":
    case "nal": {
      const names = use.words.slice(1).filter((word) => isLiteral(word) && word.text[0] !== "-");
      return { commands: names.map((word) => ({ ...use, words: [word] })) };
    }
    default:
      return undefined;
  }
}

function unwrapPowerShell(name: string, use: CommandUse): InnerCommands {
  const { words } = use;
  let at = 1;
  while (at < words.length) {
    const text = (words[at]?.text ?? "").replace(/^[-/]+/, "-").toLowerCase();
    if (text[0] !== "-" || text === "-") break;
    const parameter = text.slice(1);
    at += 1;
    if (parameter === "ec" || isStart("encodedcommand", parameter)) {
      return encodedCommand(words[at]?.text ?? "", use);
    }
    if (parameter === "cwa" || isStart("commandwithargs", parameter, 8)) return script(at, use);
    if (isStart("command", parameter)) return commandAt(at, name, use);
    if (isStart("file", parameter)) {
      return words[at]?.text === "-" ? fromInput(name, use, "powershell") : {};
    }
    if (VALUE_PARAMETERS.some((value) => isStart(value, parameter, Math.min(2, value.length)))) {
      at += 1;
    } else if (isStart("version", parameter, 3) || isStart("help", parameter)) return {};
  }
  return commandAt(at, name, use);
}

function commandAt(at: number, name: string, use: CommandUse): InnerCommands {
  const [first] = use.words.slice(at);
  if (first === undefined) {
    return use.hasMoreWords
      ? { question: `what "${name}" runs comes from its input` }
      : fromInput(name, use, "powershell");
  }
  if (first.text === "-") return fromInput(name, use, "powershell");
  return /\.ps1$/i.test(first.text) ? {} : script(at, use);
}

function script(at: number, use: CommandUse): InnerCommands {
  const text = use.words.slice(at).map((word) => word.text).join(" ");
  return { scripts: [powershell(text, use)] };
}

function powershell(text: string, use: CommandUse): InnerScript {
  return { text: scriptText(text), language: "powershell", input: use.input };
}

function isStart(whole: string, start: string, atLeast = 1): boolean {
  return start.length >= atLeast && whole.startsWith(start);
}

function encodedCommand(encoded: string, use: CommandUse): InnerCommands {
  try {
    const bytes = Uint8Array.fromBase64(encoded);
    return { scripts: [powershell(new TextDecoder("utf-16le").decode(bytes), use)] };
  } catch {
    return { question: "an encoded command cannot be read" };
  }
}

function unwrapCmd(use: CommandUse): InnerCommands {
  const { words } = use;
  let at = 1;
  while (/^\/[a-z]/i.test(words[at]?.text ?? "")) {
    const option = (words[at]?.text ?? "").slice(1, 2).toLowerCase();
    const attached = (words[at]?.text ?? "").slice(2);
    at += 1;
    if ("ckr".includes(option)) {
      const rest = words.slice(at).map((word) => word.text);
      const text = (attached === "" ? rest : [attached, ...rest]).join(" ");
      return { scripts: [{ text: scriptText(text), language: "cmd", input: use.input }] };
    }
  }
  return fromInput("cmd", use, "cmd");
}

function unwrapInvokeExpression(name: string, use: CommandUse): InnerCommands {
  const operands = use.words.slice(1).filter(({ text }) => !/^-com/i.test(text));
  if (operands.length === 0) return fromInput(name, use, "powershell");
  const text = operands.map((word) => word.text).join(" ");
  const inner = powershell(text, use);
  return operands.every(isLiteral)
    ? { scripts: [inner] }
    : { scripts: [inner], question: `what "${name}" runs only exists when it runs` };
}
