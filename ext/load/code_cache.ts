import { joinPath, parentPath } from "../../core/base/paths.ts";
import { encodeUtf8 } from "../../core/base/text.ts";
import { replaceFile } from "../../core/security/replace_file.ts";
import { sha256Hex } from "../../core/security/sha256.ts";
import type { LinkedModule } from "./link_modules.ts";

/** Changes whenever the loader makes something else of the same files. */
const LOADER_VERSION = "1";
const LAST_LINE = "//# rho ";

/** The key of a module in the cache: what it is made of, and by which loader. */
export async function cacheKey(
  entry: string,
  files: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[],
): Promise<string> {
  const parts = await Promise.all(
    files.map(async ({ name, bytes }) => [name, await sha256Hex(bytes)]),
  );
  return await sha256Hex(encodeUtf8(JSON.stringify([LOADER_VERSION, entry, parts])));
}

/** Linked modules on disk, in rho's own folder. A damaged or missing one is made again. */
export class CodeCache {
  readonly #folder: string | undefined;

  constructor(home: string | undefined) {
    this.#folder = home === undefined ? undefined : joinPath(home, "cache", "ext");
  }

  /** The module of a key, or `undefined`. */
  async read(key: string): Promise<LinkedModule | undefined> {
    if (this.#folder === undefined) return undefined;
    try {
      const text = Deno.readTextFileSync(joinPath(this.#folder, `${key}.js`));
      const at = text.lastIndexOf(LAST_LINE);
      const code = text.slice(0, at);
      const { sha256, lines } = JSON.parse(text.slice(at + LAST_LINE.length));
      return sha256 === await sha256Hex(encodeUtf8(code)) ? { code, lines } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps a module; a cache that cannot be written costs only time. */
  async write(key: string, module: LinkedModule): Promise<void> {
    if (this.#folder === undefined) return;
    const path = joinPath(this.#folder, `${key}.js`);
    const code = module.code.endsWith("\n") ? module.code : `${module.code}\n`;
    const sha256 = await sha256Hex(encodeUtf8(code));
    try {
      Deno.mkdirSync(parentPath(path), { recursive: true, mode: 0o700 });
      await replaceFile(
        path,
        `${code}${LAST_LINE}${JSON.stringify({ sha256, ...module, code: 0 })}`,
      );
    } catch {
      // The next start links again.
    }
  }
}
