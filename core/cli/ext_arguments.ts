import { UsageError } from "../base/errors.ts";

/** What `rho ext` is told. */
export type ExtArguments =
  | { readonly action: "init"; readonly name: string }
  | { readonly action: "check"; readonly path: string };

const NAME_REGEXP = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/**
 * Understands what follows `rho ext`.
 *
 * @throws {UsageError} with one line that says what is wrong.
 */
export function parseExtArguments(words: readonly string[]): ExtArguments {
  const [action, value, more] = words;
  if (action !== "init" && action !== "check") {
    throw new UsageError('"rho ext" needs "init <name>" or "check <path>"');
  }
  if (value === undefined || more !== undefined) {
    throw new UsageError(`"rho ext ${action}" needs one ${action === "init" ? "name" : "path"}`);
  }
  if (action === "check") return { action, path: value };
  if (NAME_REGEXP.test(value)) return { action, name: value };
  throw new UsageError(`"${value}" is no name for an extension: use letters, digits, - and _`);
}
