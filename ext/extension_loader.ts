import { errorMessage } from "../core/base/errors.ts";
import type { ExtensionSettings } from "../core/config/settings.ts";
import type { TrustStore } from "../core/security/trust_store.ts";
import { checkManifest } from "./check_manifest.ts";
import type { FoundExtension } from "./discovery.ts";
import { ExtensionError } from "./extension_error.ts";
import { failureText } from "./extension_tool.ts";
import { HOOK_TIMEOUT_MS } from "./extension_hooks.ts";
import { cacheKey, type CodeCache } from "./load/code_cache.ts";
import { type CompiledExtension, compileExtension } from "./load/compile_extension.ts";
import { readSources, type SourceFile } from "./load/source_files.ts";
import { type ExtensionRecord, limitsFor, switchedOff } from "./loaded_extension.ts";
import type { Manifest } from "./manifest.ts";
import type { Supervisor } from "./supervise/supervisor.ts";

/** What loading takes. */
export interface ExtensionLoaderOptions {
  readonly settings: ExtensionSettings;
  /** `undefined` lets every extension of a project count unreviewed. */
  readonly trust: TrustStore | undefined;
  readonly cache: CodeCache;
  readonly supervisor: Supervisor;
}

/** An extension's files as they are at this moment. */
export interface ReadExtension {
  readonly found: FoundExtension;
  readonly files: readonly SourceFile[];
  readonly hash: string;
  /** Why the files could not be read. */
  readonly error?: ExtensionError;
}

/** Takes extensions from their files to a running worker with a checked manifest. */
export class ExtensionLoader {
  readonly #options: ExtensionLoaderOptions;

  constructor(options: ExtensionLoaderOptions) {
    this.#options = options;
  }

  /** Reads an extension's files, once: what is trusted is what is loaded. */
  async read(found: FoundExtension): Promise<ReadExtension> {
    try {
      const files = readSources(found.entry, found.folder);
      return { found, files, hash: await cacheKey(entryName(found), files) };
    } catch (thrown) {
      const error = asExtensionError(thrown);
      return { found, files: [], hash: `unreadable: ${error.message}`, error };
    }
  }

  /** Loads one extension; whatever goes wrong is told by the record. */
  async load(read: ReadExtension): Promise<ExtensionRecord> {
    const { found, hash, files } = read;
    const { settings } = this.#options;
    const base = { found, hash, limits: limitsFor(found.name, settings) };
    const off = switchedOff(found.name, settings);
    if (off !== undefined) return { ...base, status: "disabled", error: off };
    if (read.error !== undefined) return { ...base, status: "failed", error: read.error.message };
    if (found.origin === "project" && !await this.#isTrusted(files)) {
      const error = "Nobody has reviewed it in this form; to review it, run: rho trust";
      return { ...base, status: "untrusted", error };
    }
    let compiled: CompiledExtension | undefined;
    try {
      compiled = await compileExtension(entryName(found), files, this.#options.cache);
      const manifest = await this.#start(base, compiled);
      return { ...base, status: "loaded", manifest, lines: compiled.lines };
    } catch (thrown) {
      const error = asExtensionError(thrown);
      const lines = compiled?.lines ?? { files: [], lines: [] };
      return { ...base, status: "failed", error: failureText(error, lines) };
    }
  }

  async #isTrusted(files: readonly SourceFile[]): Promise<boolean> {
    const { trust } = this.#options;
    if (trust === undefined) return true;
    for (const { path, bytes } of files) {
      if (!await trust.isTrusted(path, bytes)) return false;
    }
    return true;
  }

  async #start(
    { found, limits }: Pick<ExtensionRecord, "found" | "limits">,
    compiled: CompiledExtension,
  ): Promise<Manifest> {
    const { supervisor } = this.#options;
    const { name } = found;
    const { network, maxMemoryMb, maxExecutionMs } = limits;
    const spec = { name, code: compiled.code, network, maxMemoryMb, maxExecutionMs };
    const text = await supervisor.load(spec);
    const checked = checkManifest(text, name);
    if (!checked.ok) {
      await supervisor.unload(name);
      throw new ExtensionError(
        "extension_load",
        `${entryName(found)}: ${checked.problems.join("; ")}`,
      );
    }
    if (checked.manifest.hooks.includes("onLoad")) {
      supervisor.noteOnLoad(name);
      await supervisor.call(name, {
        kind: "hook",
        target: "onLoad",
        payload: "{}",
        timeoutMs: HOOK_TIMEOUT_MS,
      });
    }
    return checked.manifest;
  }
}

function entryName(found: FoundExtension): string {
  const parts = found.entry.split(/[\\/]/);
  return parts.at(-1) ?? found.entry;
}

function asExtensionError(thrown: unknown): ExtensionError {
  if (thrown instanceof ExtensionError) return thrown;
  return new ExtensionError("extension_load", errorMessage(thrown), { cause: thrown });
}
