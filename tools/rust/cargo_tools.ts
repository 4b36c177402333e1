import * as v from "valibot";
import { isAbsolutePath, joinPath } from "../../core/base/paths.ts";
import type { CommandRegistry } from "../shell/command_registry.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { type CargoCommand, judgeCargoArgs } from "./cargo_args.ts";
import { cargoReport } from "./cargo_report.ts";
import { type CargoRun, runCargo } from "./cargo_run.ts";
import { choosePackage, isPackageName } from "./choose_package.ts";
import { type Diagnostic, toDiagnostic } from "./diagnostic.ts";
import { DiagnosticList } from "./diagnostic_list.ts";
import { type EnclosingItems, findEnclosingItems } from "./enclosing_items.ts";
import { RustToolError } from "./rust_error.ts";
import { absoluteFolder } from "./rust_project.ts";
import { sourceLocator } from "./source_locator.ts";
import { explainSilent, type FailedTest } from "./test_output.ts";
import { findRustProgram } from "./toolchain.ts";

/** Options of {@linkcode createCargoTools}. */
export interface CargoToolsOptions {
  /** Who owns the processes. */
  readonly commands: CommandRegistry;
  /** Secret variables that commands see all the same. */
  readonly passEnv: readonly string[];
  /** The environment before secrets are removed; rho's own by default. */
  readonly env?: () => Record<string, string>;
  /** Looks up what is around the places of a file; tree-sitter does by default. */
  readonly enclosingItems?: EnclosingItems;
  /**
   * The most time of one call, in milliseconds.
   * @default {900_000}
   */
  readonly timeoutMs?: number;
}

/** The arguments of the cargo tools. */
export interface CargoArgs {
  readonly package?: string | undefined;
  readonly args?: string[] | undefined;
}

/**
 * What one session remembers: the first check, clippy or test is asked for, as it runs build
 * scripts, macros and tests of the repository; the yes holds for all three.
 */
interface CargoConsent {
  isGiven: boolean;
}

const DEFAULT_TIMEOUT_MS = 15 * 60 * 1000;
const MAX_LOOKUPS = 50;

const DESCRIPTIONS: Readonly<Record<CargoCommand, string>> = {
  check: "Compile-checks the Rust project and returns errors and warnings with place, source " +
    'and proposed fixes. Example: {"args": ["--all-targets"]}',
  clippy: "Lints the Rust project with clippy; returns findings like cargo_check. " +
    'Example: {"args": ["--all-targets", "--", "-D", "warnings"]}',
  test: "Runs Rust tests; returns counts and each failure with message, place and output, " +
    'compile errors too. Example: {"package": "core", "args": ["parser::", "--", "--nocapture"]}',
  fix: "Applies the compiler's machine-applicable fixes to the source files. cargo refuses when " +
    'files are uncommitted, unless told: {"args": ["--allow-dirty"]}',
};

/** The tools `cargo_check`, `cargo_clippy`, `cargo_test` and `cargo_fix`. */
export function createCargoTools(options: CargoToolsOptions): Tool<CargoArgs>[] {
  const consent: CargoConsent = { isGiven: false };
  const commands: readonly CargoCommand[] = ["check", "clippy", "test", "fix"];
  return commands.map((command) => cargoTool(command, { options, consent }));
}

function cargoTool(
  command: CargoCommand,
  shared: { readonly options: CargoToolsOptions; readonly consent: CargoConsent },
): Tool<CargoArgs> {
  return {
    name: `cargo_${command}`,
    description: DESCRIPTIONS[command],
    schema: schemaOf(command),
    risk: (args) => {
      const writes = command === "fix" || (args.args ?? []).includes("--fix");
      return writes || !shared.consent.isGiven ? "write" : "read";
    },
    highestRisk: "write",
    source: "builtin",
    preview: (args) => Promise.resolve({ text: previewText(command, args) }),
    execute: (args, context) => withFailures(() => runTool(args, context, { command, ...shared })),
  };
}

function schemaOf(command: CargoCommand): Tool<CargoArgs>["schema"] {
  return v.object({
    package: v.optional(v.pipe(
      v.string(),
      v.check(isPackageName, "must be the name or the folder of a package"),
      v.description("Package name or folder; everything by default"),
    )),
    args: v.optional(v.pipe(
      v.array(v.string()),
      v.check(
        (args) => judgeCargoArgs(command, args).ok,
        (issue) => {
          const judged = judgeCargoArgs(command, issue.input);
          return judged.ok ? "" : judged.message;
        },
      ),
      v.description("More arguments, for packages, targets, features, lints, tests"),
    )),
  });
}

function previewText(command: CargoCommand, args: CargoArgs): string {
  const words = ["cargo", command];
  if (args.package !== undefined) words.push("--package", args.package);
  const line = [...words, ...args.args ?? []].map((word) =>
    /[\s"']/.test(word) ? `"${word}"` : word
  )
    .join(" ");
  const effect = command === "fix" || args.args?.includes("--fix")
    ? "changes source files"
    : "runs build scripts and macros of the project" + (command === "test" ? " and its tests" : "");
  return `${line}\n\nThis ${effect}.`;
}

async function runTool(
  args: CargoArgs,
  context: ToolContext,
  shared: {
    readonly command: CargoCommand;
    readonly options: CargoToolsOptions;
    readonly consent: CargoConsent;
  },
): Promise<ToolResult> {
  const { command, options, consent } = shared;
  context.signal.throwIfAborted();
  const given = args.args ?? [];
  const judged = judgeCargoArgs(command, given);
  if (!judged.ok) throw new RustToolError(judged.message);
  const { root } = context.sandbox;
  const env = options.env?.() ?? Deno.env.toObject();
  const cargo = findRustProgram("cargo", { env, passEnv: options.passEnv });
  const chosen = await choosePackage(root, args.package);
  const cwd = absoluteFolder(root, chosen.folder);
  if (command !== "fix") consent.isGiven = true;
  const dashes = given.indexOf("--");
  const list = new DiagnosticList();
  const locate = sourceLocator(root);
  const run = await runCargo({
    cargo,
    args: [
      command,
      ...(chosen.package === undefined ? [] : [`--package=${chosen.package}`]),
      ...(command === "test" && !given.includes("--no-fail-fast") ? ["--no-fail-fast"] : []),
      ...(dashes < 0 ? given : given.slice(0, dashes)),
    ],
    passedOn: dashes < 0 ? [] : given.slice(dashes + 1),
    cwd,
    commands: options.commands,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    context,
    onDiagnostic: (raw, manifestPath) => {
      const diagnostic = toDiagnostic(raw, { manifestPath, locate });
      if (diagnostic !== undefined) list.add(diagnostic);
    },
  });
  const manifest = joinPath(cwd, "Cargo.toml");
  const printed = `${run.stderr.rest}\n${run.tests.rest}`;
  const failures = explainSilent(run.tests.failures, printed).map((failure) => ({
    ...failure,
    ...(failure.file === undefined ? {} : { file: locate(failure.file, manifest) ?? failure.file }),
  }));
  const diagnostics = await withItems(list.sorted(), { root, options });
  const output = cargoReport({
    command,
    run,
    list,
    diagnostics,
    failures,
    maxBytes: context.maxOutputBytes,
  });
  return result(output, { run, diagnostics: [...failures.map(asDiagnostic), ...diagnostics] });
}

function result(
  output: string,
  of: { readonly run: CargoRun; readonly diagnostics: readonly Diagnostic[] },
): ToolResult {
  const { end } = of.run.outcome;
  const isFine = end.reason === "exit" && end.exitCode === 0;
  const base = isFine ? toolSuccess(output) : toolFailure(output);
  return { ...base, details: { type: "Diagnostics", diagnostics: of.diagnostics } };
}

/** Adds what is around each place; of a file all at once, as it is parsed for it. */
async function withItems(
  diagnostics: readonly Diagnostic[],
  at: { readonly root: string; readonly options: CargoToolsOptions },
): Promise<Diagnostic[]> {
  const lookUp = at.options.enclosingItems ?? findEnclosingItems;
  const looked = diagnostics.slice(0, MAX_LOOKUPS);
  const byFile = Map.groupBy(looked, ({ file }) => file);
  const items = new Map<Diagnostic, string | undefined>();
  for (const [file, members] of byFile) {
    if (file === undefined || isAbsolutePath(file)) continue;
    const places = members.map(({ line = 1, column = 1 }) => ({ line, column }));
    const names = await lookUp(absoluteFolder(at.root, file), places);
    members.forEach((member, index) => items.set(member, names[index]));
  }
  return diagnostics.map((diagnostic) => {
    const enclosing = items.get(diagnostic);
    return enclosing === undefined ? diagnostic : { ...diagnostic, enclosing };
  });
}

function asDiagnostic(failure: FailedTest): Diagnostic {
  const { name, message, file, line, column } = failure;
  return {
    level: "error",
    code: "test_failed",
    message,
    test: name,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    related: [],
    notes: [],
    suggestions: [],
    count: 1,
  };
}
