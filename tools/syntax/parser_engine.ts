import type { Language, Parser } from "web-tree-sitter";
import { GRAMMAR_BYTES, type GrammarName } from "./grammars.ts";

type TreeSitter = typeof import("web-tree-sitter");

let engine: Promise<TreeSitter> | undefined;
const parsers = new Map<GrammarName, Promise<Parser>>();

/**
 * A parser for a grammar. The first one loads the engine (about 20 ms) and each grammar comes at
 * its first use (1 to 10 ms, up to 20 MB of memory); both stay. A parser works synchronously, so
 * one for each grammar is enough for everybody.
 */
export function parserOf(grammar: GrammarName): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known !== undefined) return known;
  const loading = loadParser(grammar);
  parsers.set(grammar, loading);
  // A failed attempt must not stay for good.
  loading.catch(() => parsers.delete(grammar));
  return loading;
}

async function loadParser(grammar: GrammarName): Promise<Parser> {
  // Compiling the grammar and starting the engine overlap.
  const [treeSitter, module] = await Promise.all([
    engine ??= startEngine(),
    GRAMMAR_BYTES[grammar]().then(({ default: bytes }) => WebAssembly.compile(bytes)),
  ]);
  const parser = new treeSitter.Parser();
  const language: Language = treeSitter.Language.loadSync(module);
  parser.setLanguage(language);
  return parser;
}

async function startEngine(): Promise<TreeSitter> {
  try {
    const [treeSitter, { default: wasmBinary }] = await Promise.all([
      import("web-tree-sitter"),
      import("web-tree-sitter/web-tree-sitter.wasm", { with: { type: "bytes" } }),
    ]);
    await withoutProcess(() => treeSitter.Parser.init({ wasmBinary, print() {}, printErr() {} }));
    return treeSitter;
  } catch (error) {
    engine = undefined;
    throw error;
  }
}

/**
 * Calls something while there is no global `process`. The engine asks for it in its first,
 * synchronous steps; when it finds one it loads `node:module` and `node:fs` to read a file that it
 * is given here anyway, which takes twice as long as everything else.
 */
function withoutProcess<Result>(call: () => Result): Result {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, "process");
  if (descriptor?.configurable !== true) return call();
  Object.defineProperty(globalThis, "process", { value: undefined, configurable: true });
  try {
    return call();
  } finally {
    Object.defineProperty(globalThis, "process", descriptor);
  }
}
