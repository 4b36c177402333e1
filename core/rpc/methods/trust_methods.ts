import { makeVisible } from "../../base/text.ts";
import type { PendingFile } from "../../security/pending_trust.ts";
import type { RpcContext } from "../rpc_context.ts";
import { RpcError } from "../rpc_error.ts";
import type { ListTrustResult, TrustParams, TrustResult } from "../schema/trust.ts";

/** `listTrust`: the files of the project that wait for a review, as a person should see them. */
export async function listTrust(_params: unknown, context: RpcContext): Promise<ListTrustResult> {
  const pending = await context.trust.list();
  return {
    pending: pending.map(({ path, kind, sha256, text }) => ({
      path,
      kind,
      sha256,
      text: makeVisible(text),
    })),
  };
}

/**
 * `trust`: files that a person has reviewed. A configuration counts from the next start on; a
 * context file from the next session on, or at once while nothing has been said in this one.
 */
export async function trust(params: TrustParams, context: RpcContext): Promise<TrustResult> {
  const files = await trustedFiles(params, context);
  if (files.some(({ kind }) => kind === "context")) await renewUnusedPrompt(context);
  return { trusted: files.map(({ path }) => path) };
}

async function trustedFiles(
  { paths, all }: TrustParams,
  { trust }: RpcContext,
): Promise<readonly PendingFile[]> {
  if (paths !== undefined && all !== true) return await trust.trust(paths);
  if (paths === undefined && all === true) return await trust.trustAll();
  const expected = 'either "paths" or "all": true';
  const message = `Cannot run "trust": params must hold ${expected}`;
  throw RpcError.invalidParams(message, [{ path: "", expected, message }]);
}

/** The prompt of a session stays the same once the model has seen it, byte for byte. */
async function renewUnusedPrompt({ agent }: RpcContext): Promise<void> {
  const session = await agent.session();
  if (session.messageCount <= 1) await agent.renewSystemPrompt();
}
