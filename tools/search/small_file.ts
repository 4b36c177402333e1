const MAX_BYTES = 1024 * 1024;

/**
 * The bytes of a regular file of at most 1 MiB, or `undefined` for anything else. Links are not
 * followed, as git does not for `.gitignore`.
 */
export function readSmallFile(path: string): Uint8Array | undefined {
  try {
    const info = Deno.lstatSync(path);
    return info.isFile && info.size <= MAX_BYTES ? Deno.readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
