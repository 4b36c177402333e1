import { baseName } from "../../core/base/paths.ts";
import { errorMessage } from "../../core/base/errors.ts";
import { codePaths, MAX_CODE_FILES } from "../../core/security/extension_files.ts";
import { ExtensionError } from "../extension_error.ts";

/** One file of an extension, as it was read once: trust and the linker see the same bytes. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** Relative to the extension's folder, with forward slashes. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mtimeMs: number;
}

const MAX_BYTES = 1024 * 1024;

/**
 * The code files of an extension: the one file, or all below its folder. Links that lead out of the
 * folder are refused, since their targets would not be the reviewed ones.
 *
 * @throws {ExtensionError} `extension_load` when they cannot be read, or are too many or too large.
 */
export function readSources(entry: string, folder: string | undefined): SourceFile[] {
  const paths = folder === undefined ? [entry] : codePaths(folder);
  if (paths.length > MAX_CODE_FILES) {
    throw failure(`Cannot load "${folder}": it has more than ${MAX_CODE_FILES} files of code`);
  }
  const prefix = folder === undefined ? entry.length - baseName(entry).length : folder.length + 1;
  return paths.map((path) => readSource(path, { name: path.slice(prefix).replaceAll("\\", "/") }));
}

function readSource(path: string, { name }: { readonly name: string }): SourceFile {
  try {
    const info = Deno.statSync(path);
    if (!info.isFile) throw failure(`Cannot load "${path}": it is no file`);
    if (info.size > MAX_BYTES) throw failure(`Cannot load "${path}": it is larger than 1 MiB`);
    return { path, name, bytes: Deno.readFileSync(path), mtimeMs: info.mtime?.getTime() ?? 0 };
  } catch (cause) {
    if (cause instanceof ExtensionError) throw cause;
    throw failure(`Cannot read "${path}": ${errorMessage(cause)}`, cause);
  }
}

function failure(message: string, cause?: unknown): ExtensionError {
  return new ExtensionError("extension_load", message, { cause });
}
