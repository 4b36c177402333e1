import type { FileTracker } from "../../sessions/file_tracker.ts";
import { lineHash } from "./anchors.ts";
import { splitLines } from "./text_lines.ts";

const MAX_VERSIONS = 8;
const MAX_KEPT_UNITS = 2 * 1024 * 1024;

/** The contents whose anchors a session's model was shown, newest last, by canonical path. */
const SERVED = new WeakMap<FileTracker, Map<string, string[]>>();

/**
 * Notes that the model is shown anchors of this content. 16 bits of hash tell lines apart well
 * enough to notice a stale anchor, but not to move one: for that the text must be known that was
 * served under it. At most 8 versions and 2 Mi UTF-16 units a file are kept.
 */
export function rememberServed(
  tracker: FileTracker,
  served: { readonly path: string; readonly text: string },
): void {
  const files = SERVED.get(tracker) ?? new Map<string, string[]>();
  SERVED.set(tracker, files);
  const versions = files.get(served.path) ?? [];
  if (versions.at(-1) === served.text) return;
  const kept = [...versions.filter((text) => text !== served.text), served.text]
    .slice(-MAX_VERSIONS);
  let units = kept.reduce((sum, text) => sum + text.length, 0);
  while (units > MAX_KEPT_UNITS) units -= kept.shift()?.length ?? units;
  files.set(served.path, kept);
}

/** The texts that were served under an anchor, over all versions that are still known. */
export function servedTexts(
  tracker: FileTracker,
  anchor: { readonly path: string; readonly line: number; readonly hash: string },
): Set<string> {
  const texts = new Set<string>();
  for (const version of SERVED.get(tracker)?.get(anchor.path) ?? []) {
    const line = splitLines(version)[anchor.line - 1];
    if (line === undefined) continue;
    const text = version.slice(line.start, line.end);
    if (lineHash(text, anchor.line) === anchor.hash) texts.add(text);
  }
  return texts;
}
