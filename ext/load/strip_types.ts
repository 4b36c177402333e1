import { transform } from "sucrase";
import { parse } from "sucrase/dist/parser/index.js";
import { ExtensionError } from "../extension_error.ts";
import { loadProblem } from "./load_problem.ts";

/** A token as sucrase's parser finds it. */
interface Token {
  readonly start: number;
  readonly end: number;
}

/** sucrase says where, but only in its text. */
const PLACE_REGEXP = / \((\d+):(\d+)\)$/;

/**
 * Turns TypeScript into JavaScript by leaving out types; every line keeps its number.
 *
 * @throws {ExtensionError} `extension_load` for a syntax error, and for what cannot be left out:
 *   namespaces, decorators, `import x = require()`.
 */
export function stripTypes(text: string, file: string): string {
  try {
    refuseUntranslatable(text, file);
    return transform(text, {
      transforms: ["typescript"],
      disableESTransforms: true,
      preserveDynamicImport: true,
    }).code;
  } catch (error) {
    if (error instanceof ExtensionError || !(error instanceof Error)) throw error;
    const place = PLACE_REGEXP.exec(error.message);
    const where = place === null ? file : `${file}:${place[1]}:${place[2]}`;
    const reason = error.message.replace(PLACE_REGEXP, "").replace(/^Error transforming .*?: /, "");
    throw new ExtensionError("extension_load", `${where}: ${reason}`, { cause: error });
  }
}

function refuseUntranslatable(text: string, file: string): void {
  const tokens: readonly Token[] = parse(text, false, true, false).tokens;
  const word = (index: number) => {
    const token = tokens[index];
    return token === undefined ? "" : text.slice(token.start, token.end);
  };
  tokens.forEach((token, index) => {
    const problem = problemAt(index, word);
    if (problem !== undefined) throw loadProblem({ file, text, index: token.start }, problem);
  });
}

function problemAt(index: number, word: (index: number) => string): string | undefined {
  const NAME_REGEXP = /^[A-Za-z_$"']/;
  switch (word(index)) {
    case "@":
      return "Decorators are not supported; call the function yourself";
    case "namespace":
    case "module": {
      const opens = word(index + 2) === "{" || word(index + 2) === ".";
      const isDeclared = word(index - 1) === "declare";
      if (!opens || isDeclared || word(index - 1) === "." || !NAME_REGEXP.test(word(index + 1))) {
        return undefined;
      }
      return "Namespaces are not supported; use a file of its own";
    }
    case "import":
      return word(index + 2) === "=" && NAME_REGEXP.test(word(index + 1))
        ? "import … = is not supported; use import … from"
        : undefined;
    default:
      return undefined;
  }
}
