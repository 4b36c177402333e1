import { isSafeId } from "../../core/base/ids.ts";
import { joinPath } from "../../core/base/paths.ts";
import { projectFolders, sessionNames } from "./discovery.ts";
import { SessionError } from "../session_error.ts";
import { parseSessionFileName } from "../files/project_folder.ts";

/** How many candidates an error names. */
const MAX_CANDIDATES = 10;

/**
 * The id among some that a caller means: the exact one, or the only one that starts with it.
 *
 * @throws {SessionError} `session_ambiguous` with the candidates in its data.
 */
export function matchId<T extends { readonly id: string }>(
  wanted: string,
  known: readonly T[],
): T | undefined {
  const exact = known.filter(({ id }) => id === wanted);
  const matches = exact.length > 0 ? exact : known.filter(({ id }) => id.startsWith(wanted));
  if (matches.length <= 1) return matches[0];
  const candidates = matches.map(({ id }) => id).sort().slice(0, MAX_CANDIDATES);
  throw new SessionError(
    "session_ambiguous",
    `Cannot choose session "${wanted}": ${matches.length} sessions match: ` +
      `${candidates.join(", ")}; give more of the id, or a path`,
    { data: { id: wanted, candidates } },
  );
}

/** An error for an id that nothing matches. A new session is never the answer (B61). */
export function notFound(wanted: string, known: readonly string[]): SessionError {
  const candidates = known.slice(0, MAX_CANDIDATES);
  const hint = candidates.length === 0
    ? "this project has no sessions yet"
    : `this project has ${candidates.join(", ")}`;
  return new SessionError("session_not_found", `Cannot find session "${wanted}": ${hint}`, {
    data: { id: wanted, candidates },
  });
}

/**
 * The path of a session by id: in the project's folder first, then in those of all projects.
 *
 * @throws {SessionError} `session_not_found`, `session_ambiguous` or `session_bad_id`.
 */
export function findSessionById(
  id: string,
  folders: { readonly home: string; readonly project: string },
): string {
  if (!isSafeId(id)) {
    throw new SessionError(
      "session_bad_id",
      `Cannot look for session "${id}": an id has letters, digits, "_" and "-" only`,
    );
  }
  const own = sessionsIn(folders.project);
  const inProject = matchId(id, own);
  if (inProject !== undefined) return inProject.path;
  const others = projectFolders(folders.home)
    .filter((folder) => folder !== folders.project)
    .flatMap(sessionsIn);
  const elsewhere = matchId(id, others);
  if (elsewhere !== undefined) return elsewhere.path;
  throw notFound(id, own.map((session) => session.id));
}

function sessionsIn(folder: string): { readonly id: string; readonly path: string }[] {
  return sessionNames(folder).flatMap((name) => {
    const named = parseSessionFileName(name);
    return named === undefined ? [] : [{ id: named.id, path: joinPath(folder, name) }];
  });
}
