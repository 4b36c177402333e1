import { baseName, parentPath } from "../base/paths.ts";
import type { Session } from "../../sessions/session.ts";
import { sessionNames } from "../../sessions/listing/discovery.ts";

/**
 * What a person is told when a new session begins beside older ones: its path, and how to go on
 * with the latest. `undefined` when there are none. Reads the folder, but no file of it.
 */
export function sessionHint({ savePath }: Session): string | undefined {
  if (savePath === undefined) return undefined;
  const own = baseName(savePath);
  const count = sessionNames(parentPath(savePath)).filter((name) => name !== own).length;
  if (count === 0) return undefined;
  return `rho: session ${savePath} (${count} previous session(s) for this project — use rho -c to ` +
    "resume the latest)\n";
}
