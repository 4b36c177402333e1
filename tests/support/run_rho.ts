/** A rho that runs to its end: for commands that are no server. */

import { MAIN, rhoEnv } from "./spawned_rho.ts";

/** What a rho that has ended left. */
export interface EndedRho {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@linkcode runRho}. */
export interface RunRhoOptions {
  /** The working directory. */
  readonly cwd: string;
  /** `RHO_HOME`. */
  readonly home: string;
  /** @default {""} */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Gets the process as soon as it runs. */
  readonly onSpawn?: (child: Deno.ChildProcess) => void;
}

/** Runs rho with these arguments and waits for its end. */
export async function runRho(args: readonly string[], options: RunRhoOptions): Promise<EndedRho> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", MAIN, ...args],
    cwd: options.cwd,
    clearEnv: true,
    env: rhoEnv(options.home, options.env),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  options.onSpawn?.(child);
  const { input = "" } = options;
  const writer = child.stdin.getWriter();
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  // A rho that does not read its input may be gone before it is written.
  await writer.write(bytes).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
