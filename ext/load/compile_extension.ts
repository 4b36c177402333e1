import { encodeUtf8 } from "../../core/base/text.ts";
import { ExtensionError } from "../extension_error.ts";
import { cacheKey, type CodeCache } from "./code_cache.ts";
import type { LineTable } from "./line_table.ts";
import type { SourceFile } from "./source_files.ts";

/** An extension that is ready to be sent to a worker. */
export interface CompiledExtension {
  /** The linked module in base64. */
  readonly code: string;
  readonly lines: LineTable;
  /** Changes whenever any of its files does. */
  readonly hash: string;
}

/**
 * Makes one module of an extension's files, from the cache when they have not changed.
 *
 * @param entry The name of the first file among `files`.
 * @throws {ExtensionError} `extension_load`.
 */
export async function compileExtension(
  entry: string,
  files: readonly SourceFile[],
  cache: CodeCache,
): Promise<CompiledExtension> {
  const hash = await cacheKey(entry, files);
  let module = await cache.read(hash);
  if (module === undefined) {
    const texts = new Map(files.map(({ name, bytes }) => [name, decode(name, bytes)]));
    const { linkModules } = await import("./link_modules.ts");
    module = await linkModules(entry, texts);
    await cache.write(hash, module);
  }
  return { code: encodeUtf8(module.code).toBase64(), lines: module.lines, hash };
}

function decode(name: string, bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ExtensionError("extension_load", `${name}: it is not valid UTF-8`, { cause });
  }
}
