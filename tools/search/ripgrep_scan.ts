import { realPathOrUndefined } from "../../core/security/path_probe.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { commandEnvironment } from "../shell/command_environment.ts";
import type { CommandRegistry } from "../shell/command_registry.ts";
import { findProgram } from "../shell/find_program.ts";
import { spawnCommand } from "../shell/spawner.ts";
import { scanContents } from "./content_scan.ts";
import type { WalkedFile } from "./file_walker.ts";
import type { LineMatcher } from "./line_matcher.ts";
import type { TimeSlices } from "./time_slices.ts";

/** Options of {@linkcode scanWithRipgrep}. */
export interface RipgrepScanOptions {
  /** From {@linkcode findRipgrep}. */
  readonly program: string;
  readonly sandbox: SandboxRoot;
  readonly matcher: LineMatcher;
  readonly slices: TimeSlices;
  readonly commands: CommandRegistry;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** How many files are read without `rg` first. @default {1000} */
  readonly minFiles?: number;
}

/** Up to this many files are read faster than a process starts on a busy machine. */
const DEFAULT_MIN_FILES = 1000;
/** The most characters of names in one command; systems count 8 bytes more for each name. */
const MAX_ARGUMENT_UNITS = Deno.build.os === "windows"
  ? 20_000
  : Deno.build.os === "linux"
  ? 1_000_000
  : 500_000;
/** The first batch is small, as the caller may soon have enough. */
const FIRST_ARGUMENT_UNITS = 50_000;
const BATCH_GROWTH = 20;
const MAX_OUTPUT_BYTES = 1024 * 1024;
const FLAGS = [
  "--no-config",
  "--color=never",
  "--no-messages",
  "--text",
  "--null",
  "--files-with-matches",
  // What is searched is decided here; a folder is named for the files right in it.
  "--no-ignore",
  "--hidden",
  "--max-depth=1",
];

/**
 * Where `rg` is, or `undefined`. One that lies inside the root is not used: what a repository brings
 * along does not run unasked.
 */
export function findRipgrep(
  sandbox: SandboxRoot,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const program = findProgram("rg", { env });
  const real = program === undefined ? undefined : realPathOrUndefined(program);
  return real === undefined || sandbox.contains(real) ? undefined : program;
}

/**
 * As `scanContents`, with `rg` reading the files. It is told which, so that what is searched does
 * not depend on how `rg` understands ignore files, and only says which ones to look at; the
 * next batch is read while the files of one are looked at. It is killed when the caller has enough.
 */
export async function* scanWithRipgrep(
  files: AsyncIterator<WalkedFile>,
  options: RipgrepScanOptions,
): AsyncGenerator<WalkedFile> {
  const first = await takeFiles(files, {
    maxFiles: options.minFiles ?? DEFAULT_MIN_FILES,
    maxUnits: Infinity,
  });
  yield* scanContents(first, options);
  const enough = new AbortController();
  const signal = AbortSignal.any([options.signal, enough.signal]);
  let running: Promise<readonly WalkedFile[]> | undefined;
  try {
    for (let maxUnits = FIRST_ARGUMENT_UNITS; !options.slices.isOver; maxUnits *= BATCH_GROWTH) {
      const batch = await takeFiles(files, {
        maxFiles: Infinity,
        maxUnits: Math.min(maxUnits, MAX_ARGUMENT_UNITS),
      });
      const ready = await running;
      running = batch.length === 0 ? undefined : namedBy({ ...options, signal }, batch);
      // It is awaited later; until then its failure is nobody's.
      running?.catch(() => {});
      if (ready !== undefined) yield* ready;
      if (running === undefined) return;
    }
  } finally {
    enough.abort();
    await running?.catch(() => {});
  }
}

async function takeFiles(
  files: AsyncIterator<WalkedFile>,
  most: { readonly maxFiles: number; readonly maxUnits: number },
): Promise<WalkedFile[]> {
  const taken: WalkedFile[] = [];
  for (let units = 0; taken.length < most.maxFiles && units < most.maxUnits;) {
    const next = await files.next();
    if (next.done === true) break;
    taken.push(next.value);
    units += next.value.path.length + 3;
  }
  return taken;
}

/** What `rg` is told to read: a folder where all its files are wanted, which is faster, or files. */
function targetsOf(batch: readonly WalkedFile[]): string[] {
  const byFolder = Map.groupBy(batch, ({ path, name }) => path.slice(0, -name.length));
  return [...byFolder].flatMap(([folder, files]) =>
    files.length === files[0]?.folderFiles ? [`./${folder}`] : files.map(({ path }) => `./${path}`)
  );
}

/** The files of a batch that `rg` names; all that our own scan finds if it fails. */
async function namedBy(
  options: RipgrepScanOptions,
  batch: readonly WalkedFile[],
): Promise<readonly WalkedFile[]> {
  const { matcher, slices, sandbox } = options;
  const { stdout, end } = await spawnCommand({
    program: options.program,
    args: [
      ...FLAGS,
      "--regexp",
      matcher.ripgrepSource ?? "",
      "--",
      ...targetsOf(batch),
    ],
    cwd: sandbox.root,
    env: commandEnvironment({ env: options.env, passEnv: [] }),
    commands: options.commands,
    signal: options.signal,
    timeoutMs: Math.max(1, slices.leftMs),
    keepControls: true,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  // 0 and 1 tell whether something matched, 2 that something failed.
  if (end.reason === "exit" && end.exitCode <= 1) {
    const named = new Set(stdout.text.split("\0"));
    return batch.filter(({ path }) => named.has(`./${path}`));
  }
  options.signal.throwIfAborted();
  return await Array.fromAsync(scanContents(batch, { matcher, slices }));
}
