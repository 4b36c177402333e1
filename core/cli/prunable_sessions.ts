import { parentPath } from "../base/paths.ts";
import type { SessionSummary } from "../../sessions/session_store.ts";

/** Which sessions may stay. At least one of the limits should be given. */
export interface PruneLimits {
  /** What was changed later than so long ago stays. */
  readonly olderThanMs?: number;
  /** The newest so many of each project stay. */
  readonly keep?: number;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
}

/**
 * The sessions that no limit protects, oldest first. Without any limit nothing is to go.
 *
 * @param sessions Newest first, of one project or of many.
 */
export function prunableSessions(
  sessions: readonly SessionSummary[],
  limits: PruneLimits,
): SessionSummary[] {
  const { olderThanMs, keep, nowMs } = limits;
  if (olderThanMs === undefined && keep === undefined) return [];
  const seen = new Map<string, number>();
  return sessions.filter((session) => {
    const project = parentPath(session.path);
    const newer = seen.get(project) ?? 0;
    seen.set(project, newer + 1);
    const isOld = olderThanMs === undefined || nowMs - session.mtimeSecs * 1000 > olderThanMs;
    return isOld && newer >= (keep ?? 0);
  }).reverse();
}
