import { isSafeId } from "../../base/ids.ts";
import { isAbsolutePath, joinPath, parentPath } from "../../base/paths.ts";
import type { RpcContext } from "../rpc_context.ts";
import { RpcError } from "../rpc_error.ts";
import type { ExportSessionParams, ExportSessionResult } from "../schema/export_session.ts";
import type {
  DeleteSessionParams,
  ListSessionsResult,
  RenameSessionParams,
  ResumeSessionParams,
  ResumeSessionResult,
} from "../schema/sessions.ts";

/** `listSessions`: every session of the project, newest first. */
export async function listSessions(
  _params: unknown,
  context: RpcContext,
): Promise<ListSessionsResult> {
  const sessions = await (await context.agent.store()).list();
  return { sessions: sessions.map(({ cwd: _cwd, ...session }) => session) };
}

/** `resumeSession`: goes on with another session; the current one is closed. */
export async function resumeSession(
  params: ResumeSessionParams,
  context: RpcContext,
): Promise<ResumeSessionResult> {
  const { agent, root } = context;
  const session = await agent.resumeSession(referenceOf(params));
  return {
    path: session.savePath ?? "",
    model: agent.model.id,
    cwd: root,
    entryCount: session.entries.length,
  };
}

/** What the store opens: an id must not smuggle in a path. */
function referenceOf({ path, id }: ResumeSessionParams): string {
  if (id !== undefined && path !== undefined) {
    throw wrongParams("id", "absent when there is a path");
  }
  if (id !== undefined && !isSafeId(id)) {
    throw wrongParams("id", 'letters, digits, "_" and "-" only');
  }
  const reference = path ?? id;
  if (reference === undefined) throw wrongParams("path", "there, or an id in its place");
  return reference;
}

function wrongParams(path: string, expected: string): RpcError {
  const message = `"${path}" must be ${expected}`;
  return RpcError.invalidParams(`Cannot run "resumeSession": ${message}`, [
    { path, expected, message },
  ]);
}

/** `renameSession`: titles a session that nobody has open. */
export async function renameSession(
  params: RenameSessionParams,
  context: RpcContext,
): Promise<Record<string, never>> {
  await (await context.agent.store()).setTitle(params.path, params.title);
  return {};
}

/** `deleteSession`: removes a session that nobody has open, with all that belongs to it. */
export async function deleteSession(
  params: DeleteSessionParams,
  context: RpcContext,
): Promise<Record<string, never>> {
  await (await context.agent.store()).remove(params.path);
  return {};
}

/** `exportSession`: the session as text, or written to a file. */
export async function exportSession(
  params: ExportSessionParams,
  context: RpcContext,
): Promise<ExportSessionResult> {
  const session = await context.agent.session();
  const { exportSession: toText } =
    await (import("../../../sessions/export.ts" as string) as Promise<
      typeof import("../../../sessions/export.ts")
    >);
  const content = toText(session, { format: params.format });
  if (params.path === undefined) return { content };
  const path = isAbsolutePath(params.path) ? params.path : joinPath(context.root, params.path);
  const { writeExport } = await (import("../../../sessions/write_export.ts" as string) as Promise<
    typeof import("../../../sessions/write_export.ts")
  >);
  const { savePath } = session;
  await writeExport(
    path,
    content,
    savePath === undefined ? {} : { sessionsFolder: parentPath(parentPath(savePath)) },
  );
  return { path };
}
