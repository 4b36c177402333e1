import type { RpcContext } from "../rpc_context.ts";
import { RpcError } from "../rpc_error.ts";
import type {
  EntryParams,
  GetEntriesParams,
  GetEntriesResult,
  GetFullOutputResult,
  SetResolutionParams,
} from "../schema/entries.ts";
import type { Entry, Resolution } from "../../../sessions/entry.ts";
import { entryToWire } from "../../../sessions/format/entry_codec.ts";
import { decodeResolution } from "../../../sessions/format/resolution_codec.ts";

/** `getEntries`: the tree, in the order and shape of the file. */
export async function getEntries(
  params: GetEntriesParams,
  context: RpcContext,
): Promise<GetEntriesResult> {
  const { entryId, after, limit } = params;
  const { log } = await context.agent.session();
  const tree = entryId === undefined ? log.entries : log.subtree(entryId);
  const start = after === undefined ? 0 : positionBehind(tree, log.require(after).id);
  const end = limit === undefined ? tree.length : start + limit;
  return { entries: tree.slice(start, end).map((entry) => entryToWire(entry, log.redact)) };
}

function positionBehind(tree: readonly Entry[], after: string): number {
  const at = tree.findIndex((entry) => entry.id === after);
  if (at >= 0) return at + 1;
  throw RpcError.notFound(`Cannot list entries after "${after}": it is not below "entryId"`, {
    entryId: after,
  });
}

/** `setResolution`: how much of an entry the model is shown on this branch. */
export async function setResolution(
  params: SetResolutionParams,
  context: RpcContext,
): Promise<Record<string, never>> {
  const session = await context.agent.session();
  session.setResolution(params.entryId, resolutionOf(params.resolution));
  // Text that was read may not be in view any more.
  context.agent.forgetReads();
  return {};
}

function resolutionOf(wire: SetResolutionParams["resolution"]): Resolution {
  const resolution = decodeResolution(wire);
  if (resolution !== undefined) return resolution;
  throw RpcError.invalidParams('Cannot run "setResolution": "resolution" is none', []);
}

/** `pinEntry`: protects an entry from being shortened. */
export async function pinEntry(
  params: EntryParams,
  context: RpcContext,
): Promise<Record<string, never>> {
  (await context.agent.session()).pinEntry(params.entryId);
  return {};
}

/** `unpinEntry`: takes that protection back. */
export async function unpinEntry(
  params: EntryParams,
  context: RpcContext,
): Promise<Record<string, never>> {
  (await context.agent.session()).unpinEntry(params.entryId);
  return {};
}

/** `getFullOutput`: the whole text of a bounded result. */
export async function getFullOutput(
  params: EntryParams,
  context: RpcContext,
): Promise<GetFullOutputResult> {
  return { output: await (await context.agent.session()).fullOutput(params.entryId) };
}
