import { errorMessage } from "../core/base/errors.ts";
import { joinPath, parentPath } from "../core/base/paths.ts";
import { replaceFile } from "../core/security/replace_file.ts";
import { SessionError } from "./session_error.ts";

/** Options of {@linkcode writeExport}. */
export interface WriteExportOptions {
  /** A folder that takes no exports, with everything below it: where the sessions are. */
  readonly sessionsFolder?: string;
}

/**
 * Writes an exported session to a file, for its owner only; a plain file that is there already is
 * replaced in one step.
 *
 * @throws {SessionError} `session_not_exported`, and then nothing has changed.
 */
export async function writeExport(
  path: string,
  text: string,
  options: WriteExportOptions = {},
): Promise<void> {
  const refusal = refusalOf(path, options.sessionsFolder);
  if (refusal !== undefined) throw notExported(path, refusal);
  try {
    await replaceFile(path, text);
  } catch (error) {
    throw notExported(path, errorMessage(error), error);
  }
}

function refusalOf(path: string, sessionsFolder: string | undefined): string | undefined {
  try {
    if (!Deno.lstatSync(path).isFile) return "there is something that is no plain file";
  } catch {
    // Nothing is there, which is as it should be.
  }
  if (sessionsFolder === undefined) return undefined;
  const folder = realPathOf(parentPath(path));
  const sessions = realPathOf(sessionsFolder);
  const isInside = folder !== undefined && sessions !== undefined &&
    joinPath(folder, "").startsWith(joinPath(sessions, ""));
  return isInside ? "the folder is for rho's own session files" : undefined;
}

function realPathOf(path: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch {
    return undefined;
  }
}

function notExported(path: string, reason: string, cause?: unknown): SessionError {
  return new SessionError(
    "session_not_exported",
    `Cannot export to "${path}": ${reason}; choose another path`,
    { cause, data: { path } },
  );
}
