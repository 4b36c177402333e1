import { baseName } from "../../core/base/paths.ts";

/** The grammars that rho carries. */
export type GrammarName = keyof typeof GRAMMAR_BYTES;

type BytesModule = { readonly default: Uint8Array<ArrayBuffer> };

/**
 * The WebAssembly of every grammar, loaded on first use. The specifiers are literals, one each, so
 * that a bundle and a binary carry the files.
 */
export const GRAMMAR_BYTES = {
  "bash": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm", { with: { type: "bytes" } }),
  "c-sharp": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm", { with: { type: "bytes" } }),
  "cpp": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm", { with: { type: "bytes" } }),
  "css": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-css.wasm", { with: { type: "bytes" } }),
  "go": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm", { with: { type: "bytes" } }),
  "ini": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-ini.wasm", { with: { type: "bytes" } }),
  "java": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm", { with: { type: "bytes" } }),
  "javascript": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm", {
      with: { type: "bytes" },
    }),
  "php": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm", { with: { type: "bytes" } }),
  "powershell": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm", {
      with: { type: "bytes" },
    }),
  "python": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm", { with: { type: "bytes" } }),
  "ruby": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm", { with: { type: "bytes" } }),
  "rust": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm", { with: { type: "bytes" } }),
  "tsx": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm", { with: { type: "bytes" } }),
  "typescript": (): Promise<BytesModule> =>
    import("@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm", {
      with: { type: "bytes" },
    }),
};

/** What a file is written in, by the end of its name. C is read with the grammar of C++. */
const GRAMMAR_OF_EXTENSION: Readonly<Record<string, GrammarName>> = {
  bash: "bash",
  sh: "bash",
  cs: "c-sharp",
  c: "cpp",
  cc: "cpp",
  cpp: "cpp",
  cxx: "cpp",
  h: "cpp",
  hh: "cpp",
  hpp: "cpp",
  hxx: "cpp",
  css: "css",
  go: "go",
  ini: "ini",
  java: "java",
  cjs: "javascript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  php: "php",
  ps1: "powershell",
  psd1: "powershell",
  psm1: "powershell",
  py: "python",
  pyi: "python",
  gemspec: "ruby",
  rake: "ruby",
  rb: "ruby",
  rs: "rust",
  tsx: "tsx",
  cts: "typescript",
  mts: "typescript",
  ts: "typescript",
};

/** The grammar of a file by its name, or `undefined` when rho has none for it. */
export function grammarOfPath(path: string): GrammarName | undefined {
  const name = baseName(path).toLowerCase();
  const dot = name.lastIndexOf(".");
  if (dot < 1) return undefined;
  const extension = name.slice(dot + 1);
  return Object.hasOwn(GRAMMAR_OF_EXTENSION, extension)
    ? GRAMMAR_OF_EXTENSION[extension]
    : undefined;
}
