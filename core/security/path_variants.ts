import { nearestNames } from "../base/text.ts";
import { NATIVE_SEPARATOR, pathExists } from "./path_probe.ts";

const MAX_FOLDER_ENTRIES = 5000;

/**
 * The spellings under which a path of a model is looked up, literal first: as given, then without
 * a leading `@`, which is how people mention files in chats.
 */
export function pathSpellings(path: string): string[] {
  return path.length > 1 && path.startsWith("@") ? [path, path.slice(1)] : [path];
}

/** Where {@linkcode walkLoosely} came to. */
export interface LooseWalk {
  /** The names that exist, as they are on disk. */
  readonly found: readonly string[];
  /** The names below them that do not exist. */
  readonly rest: readonly string[];
}

/**
 * Follows names below a folder as far as they exist. A name that does not exist literally may
 * stand for the only entry that differs in its kind of space (U+202F and U+00A0 as macOS puts them
 * into names) or in Unicode composition (NFC or NFD).
 *
 * @param mayEnter Whether a path that exists may be followed; where it may not, the walk ends
 *   before it, so that nothing behind it is ever looked at.
 */
export function walkLoosely(
  folder: string,
  names: readonly string[],
  mayEnter: (path: string) => boolean,
): LooseWalk {
  const found: string[] = [];
  for (const [index, name] of names.entries()) {
    const at = [folder.replace(/[\\/]+$/, ""), ...found].join(NATIVE_SEPARATOR);
    const real = pathExists(at + NATIVE_SEPARATOR + name) ? name : onlyLooseMatch(at, name);
    if (real === undefined || !mayEnter(at + NATIVE_SEPARATOR + real)) {
      return { found, rest: names.slice(index) };
    }
    found.push(real);
  }
  return { found, rest: [] };
}

/** Names in a folder that a mistyped one may stand for, nearest first. */
export function nearNames(folder: string, name: string): string[] {
  return nearestNames(name, folderNames(folder));
}

function onlyLooseMatch(folder: string, name: string): string | undefined {
  const wanted = looseKey(name);
  const matches = folderNames(folder).filter((entry) => looseKey(entry) === wanted);
  return matches.length === 1 ? matches[0] : undefined;
}

function looseKey(name: string): string {
  return name.normalize("NFC").replace(/[\u00a0\u202f]/g, " ");
}

function folderNames(folder: string): string[] {
  const names: string[] = [];
  try {
    for (const entry of Deno.readDirSync(folder === "" ? "/" : folder)) {
      if (names.push(entry.name) >= MAX_FOLDER_ENTRIES) break;
    }
  } catch {
    // An unreadable folder has no hints to give.
  }
  return names;
}
