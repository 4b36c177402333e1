import { joinPath } from "../core/base/paths.ts";
import { realPathOrUndefined } from "../core/security/path_probe.ts";
import { NATIVE_RULES } from "../core/security/path_probe.ts";
import { isInside } from "../core/security/path_rules.ts";
import { comparableName } from "./check_manifest.ts";
import { isCodeName } from "../core/security/extension_files.ts";

/** An extension that lies in one of the two places. */
export interface FoundExtension {
  /** The name of its file without ending, or of its folder. */
  readonly name: string;
  /** The file to start with, absolute. */
  readonly entry: string;
  /** Set when it is a folder. */
  readonly folder?: string;
  readonly origin: "user" | "project";
}

/** Where extensions are looked for. */
export interface ExtensionPlaces {
  /** rho's home. */
  readonly home: string | undefined;
  /** The project's root. */
  readonly root: string;
}

/** The two folders, the user's first. */
export function extensionFolders(
  places: ExtensionPlaces,
): { readonly path: string; readonly origin: FoundExtension["origin"] }[] {
  const project = { path: joinPath(places.root, ".rho", "extensions"), origin: "project" } as const;
  if (places.home === undefined) return [project];
  return [{ path: joinPath(places.home, "extensions"), origin: "user" }, project];
}

/** Whether there is any folder of extensions; costs two calls of stat. */
export function hasExtensionFolders(places: ExtensionPlaces): boolean {
  return extensionFolders(places).some(({ path }) => isFolder(path));
}

/**
 * Finds extensions: files of code, and folders with a `mod.ts`. One of the project takes the place
 * of the user's of the same name. In the order in which their hooks run: by name.
 */
export function discoverExtensions(places: ExtensionPlaces): FoundExtension[] {
  const found = new Map<string, FoundExtension>();
  for (const { path, origin } of extensionFolders(places)) {
    // A link out of a project would make files count that are none of it.
    const real = realPathOrUndefined(path);
    if (real === undefined) continue;
    if (origin === "project" && !isInside(places.root, real, NATIVE_RULES)) continue;
    for (const extension of inFolder(path, origin)) {
      const target = realPathOrUndefined(extension.entry);
      const isOutside = target === undefined || !isInside(real, target, NATIVE_RULES);
      if (origin === "project" && isOutside) continue;
      found.set(comparableName(extension.name), extension);
    }
  }
  return [...found.values()].sort((a, b) => a.name < b.name ? -1 : 1);
}

/** An extension by the path of its file or folder, wherever it lies. */
export function extensionAt(path: string): FoundExtension | undefined {
  const name = path.replace(/[\\/]+$/, "").split(/[\\/]/).at(-1) ?? "";
  if (!isFolder(path)) {
    return isCodeName(name)
      ? { name: name.replace(/\.m?[tj]s$/, ""), entry: path, origin: "user" }
      : undefined;
  }
  const entry = joinPath(path, "mod.ts");
  return { name, entry, folder: path.replace(/[\\/]+$/, ""), origin: "user" };
}

function inFolder(path: string, origin: FoundExtension["origin"]): FoundExtension[] {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(path)];
  } catch {
    return [];
  }
  return entries.flatMap(({ name }) => {
    if (name.startsWith(".")) return [];
    const at = joinPath(path, name);
    if (isFolder(at) && !isFile(joinPath(at, "mod.ts"))) return [];
    const found = extensionAt(at);
    return found === undefined ? [] : [{ ...found, origin }];
  });
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
