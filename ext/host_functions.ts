import type { SandboxRoot } from "../core/security/sandbox.ts";
import { ExtensionError } from "./extension_error.ts";
import { type HostCommandsOptions, runHostCommand } from "./host_commands.ts";
import {
  type FileChange,
  listProjectFiles,
  readProjectFile,
  writeProjectFile,
} from "./host_files.ts";
import type { SessionNotes } from "./session_notes.ts";

/** What a caller of {@linkcode serveHostCall} is allowed and told. */
export interface CallerGrants {
  readonly name: string;
  readonly commands: boolean;
  readonly maxExecutionMs: number;
  /** Its own `[extensions.config."name"]`. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** What the functions of the global `rho` work with. */
export interface HostFunctionsDeps {
  readonly sandbox: () => Promise<SandboxRoot>;
  readonly commands: () => Promise<Omit<HostCommandsOptions, "sandbox">>;
  readonly notes: SessionNotes;
  readonly model: () => string;
  readonly onFileChange: (extension: string, change: FileChange) => void;
}

/**
 * Serves one call of an extension's global `rho`. Everything is decided here, in rho: what a worker
 * claims about itself counts for nothing.
 *
 * @throws {ExtensionError|SandboxError} whose message the extension gets.
 */
export async function serveHostCall(
  call: { readonly name: string; readonly args: readonly unknown[] },
  context: {
    readonly caller: CallerGrants;
    readonly deps: HostFunctionsDeps;
    readonly signal: AbortSignal;
  },
): Promise<unknown> {
  const { caller, deps, signal } = context;
  const { name, args } = call;
  const text = (index: number, what: string) => textArgument(args[index], { name, what });
  switch (name) {
    case "noteFetch":
      return undefined;
    case "readFile":
      return await readProjectFile(await deps.sandbox(), text(0, "path"));
    case "writeFile": {
      const file = { path: text(0, "path"), text: text(1, "text") };
      const change = await writeProjectFile(await deps.sandbox(), file, signal);
      deps.onFileChange(caller.name, change);
      return undefined;
    }
    case "listFiles":
      return listProjectFiles(await deps.sandbox(), text(0, "glob"));
    case "runCommand":
      return await runCommand(args, { ...context, program: text(0, "command") });
    case "getCwd":
      return (await deps.sandbox()).root;
    case "getModel":
      return deps.model();
    case "getConfig":
      return caller.config;
    case "getState":
      return await deps.notes.getState(text(0, "kind"));
    case "setState":
      return await deps.notes.setState(caller.name, text(0, "kind"), args[1] ?? null);
    case "addMessage":
      return await deps.notes.addMessage(caller.name, text(0, "kind"), text(1, "text"));
    default:
      throw new ExtensionError("extension_refused", `There is no rho.${name}()`);
  }
}

async function runCommand(
  args: readonly unknown[],
  context: {
    readonly caller: CallerGrants;
    readonly deps: HostFunctionsDeps;
    readonly signal: AbortSignal;
    readonly program: string;
  },
): Promise<unknown> {
  const { caller, deps, signal, program } = context;
  if (!caller.commands) {
    throw new ExtensionError(
      "extension_refused",
      `Cannot run "${program}": "commands" is off for this extension`,
    );
  }
  const list = args[1] ?? [];
  if (!Array.isArray(list) || !list.every((one) => typeof one === "string")) {
    throw wrongArgument("runCommand", "args must be a list of texts; there is no shell line");
  }
  const { cwd, timeoutSecs } = (args[2] ?? {}) as Readonly<Record<string, unknown>>;
  if (cwd !== undefined && typeof cwd !== "string") {
    throw wrongArgument("runCommand", "cwd must be a text");
  }
  const isTime = typeof timeoutSecs === "number" && timeoutSecs > 0;
  if (timeoutSecs !== undefined && !isTime) {
    throw wrongArgument("runCommand", "timeoutSecs must be a number above 0");
  }
  const askedMs = isTime ? timeoutSecs * 1000 : Infinity;
  return await runHostCommand(
    {
      program,
      args: list,
      timeoutMs: Math.min(askedMs, caller.maxExecutionMs),
      ...(cwd === undefined ? {} : { cwd }),
    },
    { sandbox: await deps.sandbox(), ...await deps.commands(), signal },
  );
}

function textArgument(
  value: unknown,
  { name, what }: { readonly name: string; readonly what: string },
): string {
  if (typeof value === "string") return value;
  throw wrongArgument(name, `${what} must be a text`);
}

function wrongArgument(name: string, reason: string): ExtensionError {
  return new ExtensionError("extension_refused", `Cannot call rho.${name}(): ${reason}`);
}
