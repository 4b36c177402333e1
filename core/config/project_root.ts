import { joinPath, selfAndAncestors } from "../base/paths.ts";

/** Files and folders that mark a project's root. */
const MARKERS = [
  joinPath(".rho", "config.toml"),
  ".git",
  "Cargo.toml",
  "deno.json",
  "deno.jsonc",
  "package.json",
  "pyproject.toml",
  "go.mod",
  "pom.xml",
  "build.gradle",
  ".hg",
  "Makefile",
];

/** Options of {@linkcode findProjectRoot}. */
export interface FindProjectRootOptions {
  /** The home directory, which never counts as a project. */
  readonly home?: string;
  /** Whether a path exists. */
  readonly exists?: (path: string) => boolean;
}

/**
 * The nearest folder, from the given one upwards, that holds a project marker. The home directory
 * and the filesystem root never count.
 *
 * @returns `undefined` when no folder has a marker.
 */
export function findProjectRoot(
  from: string,
  options: FindProjectRootOptions = {},
): string | undefined {
  const exists = options.exists ?? pathExists;
  const folders = selfAndAncestors(from);
  // The last one is the filesystem root.
  return folders.slice(0, -1).find((folder) =>
    folder !== options.home && MARKERS.some((marker) => exists(joinPath(folder, marker)))
  );
}

function pathExists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
