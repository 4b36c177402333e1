import type { RpcContext } from "../rpc_context.ts";
import type {
  BranchToParams,
  BranchToResult,
  CursorPositionResult,
  ForkParams,
  ListCursorsResult,
  NameCursorParams,
  SwitchCursorParams,
} from "../schema/cursors.ts";
import type { Session } from "../../../sessions/session.ts";

/** `listCursors`: every branch that has a cursor, in the order in which they were made. */
export async function listCursors(
  _params: unknown,
  context: RpcContext,
): Promise<ListCursorsResult> {
  const session = await context.agent.session();
  return { cursors: session.cursors().map((cursor) => ({ ...cursor, leaf: cursor.leaf ?? "" })) };
}

/** `fork`: a new cursor at the current leaf, made the active one. */
export async function fork(
  params: ForkParams,
  context: RpcContext,
): Promise<CursorPositionResult> {
  return await context.agent.moveTo((session) => {
    session.fork(params.name);
    return positionOf(session);
  });
}

/** `switchCursor`: makes another cursor the active one. */
export async function switchCursor(
  params: SwitchCursorParams,
  context: RpcContext,
): Promise<CursorPositionResult> {
  return await context.agent.moveTo((session) => {
    session.switchCursor(params.cursorId);
    return positionOf(session);
  });
}

/** `nameCursor`: names a branch. */
export async function nameCursor(
  params: NameCursorParams,
  context: RpcContext,
): Promise<Record<string, never>> {
  const session = await context.agent.session();
  session.nameCursor(params.name, params.cursorId);
  return {};
}

/** `branchTo`: moves to any entry; what was there stays. */
export async function branchTo(
  params: BranchToParams,
  context: RpcContext,
): Promise<BranchToResult> {
  const { entryId, summarize = false } = params;
  const summary = summarize ? await summaryOfLeftBranch(entryId, context) : undefined;
  return await context.agent.moveTo((session) => {
    if (summary === undefined) session.branchTo(entryId);
    else session.branchWithSummary(entryId, summary);
    return { leaf: session.leaf ?? "" };
  });
}

async function summaryOfLeftBranch(
  entryId: string,
  context: RpcContext,
): Promise<string | undefined> {
  const [session, { entriesLeftBehind, summariseBranch }, { historyOptions }] = await Promise.all([
    context.agent.session(),
    import("../../../sessions/branch_summary.ts" as string) as Promise<
      typeof import("../../../sessions/branch_summary.ts")
    >,
    import("../../agent/conversation_record.ts" as string) as Promise<
      typeof import("../../agent/conversation_record.ts")
    >,
  ]);
  return summariseBranch(entriesLeftBehind(session, entryId), historyOptions(session));
}

function positionOf(session: Session): CursorPositionResult {
  return { cursorId: session.cursorId, leaf: session.leaf ?? "" };
}
