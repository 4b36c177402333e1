import { protectedWriteReason, secretReadReason } from "../../core/security/protected_paths.ts";
import { pathExists } from "../../core/security/path_probe.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { SandboxError } from "../../core/security/sandbox_error.ts";

/** A call that names one file. */
interface FileCall {
  readonly path: string;
}

/** What each call's path led to when it was judged; `null` where it led to nothing. */
const JUDGED = new WeakMap<object, string | null>();

/** Why reading the file of a call needs a person, or `undefined`. Never throws. */
export async function guardRead(
  args: FileCall,
  context: { readonly sandbox: SandboxRoot },
): Promise<string | undefined> {
  const canonical = await context.sandbox.validate(args.path).catch(() => null);
  JUDGED.set(args, canonical);
  return canonical === null
    ? undefined
    : secretReadReason(context.sandbox, { given: args.path, canonical });
}

/**
 * Why writing the file of a call needs a person, or `undefined`. Never throws. An existing secret
 * file counts too, as results and diffs show what it held.
 */
export async function guardWrite(
  args: FileCall,
  context: { readonly sandbox: SandboxRoot },
): Promise<string | undefined> {
  const { sandbox } = context;
  const canonical = await sandbox.validateForWrite(args.path).catch(() => null);
  JUDGED.set(args, canonical);
  if (canonical === null) return undefined;
  const target = { given: args.path, canonical };
  return protectedWriteReason(sandbox, target) ??
    (pathExists(canonical) ? secretReadReason(sandbox, target) : undefined);
}

/**
 * Makes sure that a call touches what its guard has judged. A call that was never judged passes:
 * whoever runs tools without guards has decided so.
 *
 * @throws {SandboxError} `changed`.
 */
export function checkJudged(
  args: FileCall,
  target: { readonly sandbox: SandboxRoot; readonly canonical: string },
): void {
  const judged = JUDGED.get(args);
  if (judged === undefined || judged === target.canonical) return;
  throw new SandboxError(
    "changed",
    `Cannot use "${args.path}": it leads to "${target.sandbox.relative(target.canonical)}" now, ` +
      "other than when this call was judged; nothing was done, call again",
  );
}
