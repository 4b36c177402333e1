import type { RpcContext } from "../rpc_context.ts";
import { RpcError } from "../rpc_error.ts";
import type {
  ListCommandsResult,
  ListExtensionsResult,
  ReloadExtensionsResult,
  RunCommandParams,
  RunCommandResult,
} from "../schema/extensions.ts";

/** `listExtensions`: every extension that was found, and what became of it. */
export function listExtensions(_params: unknown, context: RpcContext): ListExtensionsResult {
  const records = context.extensions.manager?.list() ?? [];
  return {
    extensions: records.map(({ found, manifest, limits, status, error }) => ({
      name: found.name,
      version: manifest?.version ?? "",
      path: found.entry,
      tools: manifest?.tools.map(({ name }) => name) ?? [],
      commands: manifest?.commands.map(({ name }) => name) ?? [],
      hooks: [...manifest?.hooks ?? []],
      status,
      permissions: {
        network: typeof limits.network === "boolean" ? limits.network : [...limits.network],
        commands: limits.commands,
      },
      ...(error === undefined ? {} : { error }),
    })),
  };
}

/** `reloadExtensions`: loads what is new or has changed, ends what is gone. */
export async function reloadExtensions(
  _params: unknown,
  context: RpcContext,
): Promise<ReloadExtensionsResult> {
  const manager = await context.extensions.ensure();
  if (manager === undefined) return { added: 0, reloaded: 0, removed: 0, failed: 0, errors: [] };
  const { errors, ...counts } = await manager.reload();
  return { ...counts, errors: [...errors] };
}

/** `listCommands`: the commands of all loaded extensions. */
export function listCommands(_params: unknown, context: RpcContext): ListCommandsResult {
  return { commands: [...context.extensions.manager?.listCommands() ?? []] };
}

/** `runCommand`: runs an extension's command. */
export async function runCommand(
  { name, args }: RunCommandParams,
  context: RpcContext,
): Promise<RunCommandResult> {
  const { manager } = context.extensions;
  if (manager === undefined) {
    throw RpcError.notFound(`There is no extension command "${name}"; no extension is loaded`);
  }
  return { output: await manager.runCommand(name, args) };
}
