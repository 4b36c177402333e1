import { joinPath, parentPath } from "../../core/base/paths.ts";
import { commandEnvironment } from "../shell/command_environment.ts";
import { findProgram } from "../shell/find_program.ts";
import { RustToolError } from "./rust_error.ts";

/** What the lookups of programs depend on. */
export interface ToolchainOptions {
  /** The environment before secrets are removed. */
  readonly env: Readonly<Record<string, string>>;
  /** Secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
}

/** A program of the toolchain, ready to be started. */
export interface RustProgram {
  /** Its absolute path. */
  readonly path: string;
  /** The complete environment to start it in. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds `cargo` or `rustc`: in `PATH`, else where rustup puts them, as programs with a window often
 * start without the shell's `PATH`.
 *
 * @throws {RustToolError} with how to get one.
 */
export function findRustProgram(name: "cargo" | "rustc", options: ToolchainOptions): RustProgram {
  const env = commandEnvironment(options);
  const path = findProgram(name, { env }) ?? cargoHomes(env)
    .map((home) => findProgram(joinPath(home, "bin", name), { env }))
    .find((found) => found !== undefined);
  if (path === undefined) {
    throw new RustToolError(
      `Cannot find ${name}: no Rust toolchain is installed; get one from https://rustup.rs ` +
        "and start rho again",
    );
  }
  return { path, env: { ...withFolder(env, parentPath(path)), ...FIXED } };
}

/**
 * A folder of the machine that is no project's. rustup obeys a `rust-toolchain.toml` in the working
 * folder, which can name any program, so lookups that nobody approves start here.
 */
export function neutralFolder(env: Readonly<Record<string, string>>): string {
  return Deno.build.os === "windows" ? `${env["SystemDrive"] ?? "C:"}\\` : "/";
}

/** Output that is parsed, and panics without the frames of the runtime. */
const FIXED: Readonly<Record<string, string>> = {
  CARGO_TERM_COLOR: "never",
  CARGO_TERM_PROGRESS_WHEN: "never",
  RUST_BACKTRACE: "0",
};

function cargoHomes(env: Readonly<Record<string, string>>): string[] {
  const user = env["HOME"] ?? env["USERPROFILE"];
  const homes = [env["CARGO_HOME"], user === undefined ? undefined : joinPath(user, ".cargo")];
  return homes.filter((home): home is string => home !== undefined && home !== "");
}

/** cargo looks for rustc in `PATH`. */
function withFolder(env: Record<string, string>, folder: string): Record<string, string> {
  const separator = Deno.build.os === "windows" ? ";" : ":";
  const name = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const path = env[name];
  if (path?.split(separator).includes(folder)) return env;
  return { ...env, [name]: path === undefined ? folder : `${path}${separator}${folder}` };
}
