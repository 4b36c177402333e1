import { joinPath } from "../../core/base/paths.ts";
import type { CommandRegistry } from "../shell/command_registry.ts";
import { spawnCommand } from "../shell/spawner.ts";
import { RustToolError } from "./rust_error.ts";
import { DocIndex } from "./rustdoc_index.ts";
import { findRustProgram, neutralFolder } from "./toolchain.ts";

/** Options of {@linkcode RustDocs}. */
export interface RustDocsOptions {
  readonly commands: CommandRegistry;
  /** Secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
  /** The environment before secrets are removed; rho's own by default. */
  readonly env?: () => Record<string, string>;
}

/** What a program of the toolchain printed. */
export interface PrintedText {
  readonly stdout: string;
  readonly stderr: string;
  readonly isFine: boolean;
}

const TIMEOUT_MS = 30_000;

/**
 * The toolchain's own knowledge: what `rustc` and `cargo` print about themselves, and the HTML
 * documentation that rustup installs. Nothing of the project is run for it.
 */
export class RustDocs {
  readonly #options: RustDocsOptions;
  #folder: string | undefined;
  #index: DocIndex | undefined;

  constructor(options: RustDocsOptions) {
    this.#options = options;
  }

  /** Runs `rustc` or `cargo` outside of any project. */
  async ask(
    program: "rustc" | "cargo",
    args: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<PrintedText> {
    const env = this.#options.env?.() ?? Deno.env.toObject();
    const found = findRustProgram(program, { env, passEnv: this.#options.passEnv });
    const { end, stdout, stderr } = await spawnCommand({
      program: found.path,
      args,
      cwd: neutralFolder(found.env),
      // A lookup must not install a toolchain.
      env: { ...found.env, RUSTUP_AUTO_INSTALL: "0" },
      commands: this.#options.commands,
      timeoutMs: TIMEOUT_MS,
      signal: options.signal,
    });
    options.signal.throwIfAborted();
    if (end.reason === "spawn_failed") throw end.error;
    const isFine = end.reason === "exit" && end.exitCode === 0;
    return { stdout: stdout.text, stderr: stderr.text, isFine };
  }

  /**
   * Where the documentation lies, and what it holds.
   *
   * @throws {RustToolError} when it is not installed.
   */
  async open(options: { readonly signal: AbortSignal }): Promise<{
    readonly folder: string;
    readonly index: DocIndex;
  }> {
    this.#folder ??= await this.#findFolder(options);
    this.#index ??= DocIndex.open(this.#folder);
    if (this.#index !== undefined) return { folder: this.#folder, index: this.#index };
    throw new RustToolError(
      `Cannot read the Rust documentation: nothing in "${this.#folder}"; install it with ` +
        '"rustup component add rust-docs"',
    );
  }

  async #findFolder(options: { readonly signal: AbortSignal }): Promise<string> {
    const { stdout, stderr, isFine } = await this.ask("rustc", ["--print", "sysroot"], options);
    const sysroot = stdout.trim();
    if (isFine && sysroot !== "") return joinPath(sysroot, "share", "doc", "rust", "html");
    throw new RustToolError(
      `Cannot find the Rust documentation: rustc does not say where it is (${stderr.trim()})`,
    );
  }
}
