import wasm from "@rollup/browser/dist/bindings_wasm_bg.wasm" with { type: "bytes" };
import type { Plugin, RollupError } from "@rollup/browser";
import { ExtensionError } from "../extension_error.ts";
import type { AstNode } from "./ast_walk.ts";
import { checkedModule } from "./checked_module.ts";
import { type LineTable, lineTable } from "./line_table.ts";
import { stripTypes } from "./strip_types.ts";

/** One module made of all files of an extension. */
export interface LinkedModule {
  readonly code: string;
  readonly lines: LineTable;
}

/** Makes relative names absolute while modules are resolved. */
const BASE = "file:///";

/**
 * Links files into one module. Only what the entry leads to is in it.
 *
 * @param files Texts by their names relative to the extension's folder.
 * @throws {ExtensionError} `extension_load`, with file and line where there is one.
 */
export async function linkModules(
  entry: string,
  files: ReadonlyMap<string, string>,
): Promise<LinkedModule> {
  const rollup = await loadRollup();
  try {
    const bundle = await rollup({
      input: `/${entry}`,
      treeshake: false,
      plugins: [filesPlugin(files)],
      onLog: () => {},
    });
    const { output: [chunk] } = await bundle.generate({
      format: "es",
      sourcemap: true,
      inlineDynamicImports: true,
    });
    if (chunk.imports.length > 0 || chunk.dynamicImports.length > 0) {
      throw new ExtensionError("extension_load", `${entry}: it imports what is not in its folder`);
    }
    const sources = (chunk.map?.sources ?? []).map((name) => name.replace(/^(?:\.\.\/)+/, ""));
    return { code: chunk.code, lines: lineTable(chunk.map?.mappings ?? "", sources) };
  } catch (error) {
    throw asLoadError(error, entry);
  }
}

function filesPlugin(files: ReadonlyMap<string, string>): Plugin {
  return {
    name: "rho",
    resolveId(specifier, importer) {
      if (importer === undefined) return specifier;
      const path = decodeURIComponent(new URL(specifier, `${BASE}${importer.slice(1)}`).pathname);
      if (files.has(path.slice(1))) return path;
      throw new ExtensionError(
        "extension_load",
        `${importer.slice(1)}: Cannot import "${specifier}": the extension's folder has no ` +
          `"${path.slice(1)}"; names are complete, as "./name.ts"`,
      );
    },
    load: (id) => files.get(id.slice(1)) ?? null,
    transform(text, id) {
      const file = id.slice(1);
      const code = stripTypes(text, file);
      return { code: checkedModule(code, file, this.parse(code) as unknown as AstNode), map: null };
    },
    renderChunk(code, chunk) {
      // What came out is looked at once more: nothing may have slipped through the linking.
      const checked = checkedModule(code, chunk.fileName, this.parse(code) as unknown as AstNode);
      if (checked !== code) {
        throw new ExtensionError("extension_load", `${chunk.fileName}: import() was left over`);
      }
      return null;
    },
  };
}

function asLoadError(error: unknown, entry: string): ExtensionError {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ExtensionError) return at;
  }
  const { loc, message, id } = error as RollupError;
  const file = (loc?.file ?? id ?? `/${entry}`).replace(/^\//, "");
  const where = loc === undefined ? file : `${file}:${loc.line}:${loc.column + 1}`;
  const reason = message.replace(/^[^()]* \(\d+:\d+\): /, "");
  return new ExtensionError("extension_load", `${where}: ${reason}`, { cause: error });
}

let loading: Promise<typeof import("@rollup/browser")> | undefined;

/** rollup, with its WASM from the bytes that rho carries: it would look for a file otherwise. */
async function loadRollup(): Promise<typeof import("@rollup/browser").rollup> {
  loading ??= startRollup();
  return (await loading).rollup;
}

async function startRollup(): Promise<typeof import("@rollup/browser")> {
  const module = await import("@rollup/browser");
  const realFetch = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith("/bindings_wasm_bg.wasm")) return realFetch(input, init);
    const headers = { "content-type": "application/wasm" };
    return Promise.resolve(new Response(wasm, { headers }));
  };
  try {
    const bundle = await module.rollup({
      input: "/start.js",
      plugins: [{ name: "start", resolveId: (id) => id, load: () => "export default 1;" }],
    });
    await bundle.close();
  } finally {
    globalThis.fetch = realFetch;
  }
  return module;
}
