import { joinPath } from "../../core/base/paths.ts";
import { RustToolError } from "./rust_error.ts";
import { absoluteFolder, cargoFolders, hasManifest } from "./rust_project.ts";

/** Where cargo runs, and for which package. */
export interface ChosenPackage {
  /** Relative to the root with `/`, `""` for the root. */
  readonly folder: string;
  /** What goes behind `--package`; all of the folder's project when absent. */
  readonly package?: string;
}

const PACKAGE_REGEXP = /^[A-Za-z0-9_][A-Za-z0-9_.@:/+#*-]*$/;

/** Whether a text can be a package, a folder of one, or both; never an option. */
export function isPackageName(text: string): boolean {
  return PACKAGE_REGEXP.test(text) && !text.split("/").includes("..");
}

/**
 * Finds the project that a call means. `package` is a name as cargo knows it, or a folder with a
 * `Cargo.toml`; where the root holds several projects, also `folder/name`.
 *
 * @throws {RustToolError} when there is no project, or several and none was named.
 */
export async function choosePackage(
  root: string,
  name: string | undefined,
): Promise<ChosenPackage> {
  const folders = cargoFolders(root);
  const [only] = folders;
  if (only === undefined) {
    throw new RustToolError(
      "Cannot run cargo: no Cargo.toml at the root or up to two folders below; " +
        "create one, or use run_command in the right folder",
    );
  }
  if (folders.length === 1) {
    if (name === undefined) return { folder: only };
    const path = only === "" || name === only || name.startsWith(`${only}/`)
      ? name
      : `${only}/${name}`;
    if (path === only) return { folder: only };
    const inside = hasManifest(root, path) ? await packageName(root, path) : undefined;
    return { folder: only, package: inside ?? name };
  }
  const wanted = name?.replace(/\/$/, "");
  for (const folder of folders) {
    if (wanted === undefined) break;
    if (wanted === folder || await packageName(root, folder) === wanted) return { folder };
    if (folder !== "" && wanted.startsWith(`${folder}/`)) {
      const inside = hasManifest(root, wanted) ? await packageName(root, wanted) : undefined;
      return { folder, package: inside ?? wanted.slice(folder.length + 1) };
    }
  }
  const list = folders.slice(0, 10).map((folder) => `"${folder}"`).join(", ");
  throw new RustToolError(
    `Cannot choose among several Cargo projects: ${list}${folders.length > 10 ? ", …" : ""}; ` +
      'give one of these as "package", or "folder/name" for a package inside it',
  );
}

async function packageName(root: string, folder: string): Promise<string | undefined> {
  try {
    const text = Deno.readTextFileSync(joinPath(absoluteFolder(root, folder), "Cargo.toml"));
    const { parse } = await (import("smol-toml" as string) as Promise<typeof import("smol-toml")>);
    const table = parse(text)["package"];
    if (typeof table !== "object" || table === null || !("name" in table)) return undefined;
    return typeof table.name === "string" ? table.name : undefined;
  } catch {
    // A manifest that cannot be read: cargo says better what is wrong with it.
    return undefined;
  }
}
