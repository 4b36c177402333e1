import { abortable } from "../../core/base/abort.ts";

const TAILS = new Map<string, Promise<void>>();

/**
 * Runs something while nothing else holds the same path; calls are served in the order in which
 * they came, in every session of this process. Names are compared without case and composition:
 * waiting for a stranger is harmless, missing a twin is not.
 *
 * @param canonical As the sandbox gives it.
 * @throws the signal's reason when it is aborted while waiting; whatever `body` throws.
 */
export async function withPathLock<T>(
  canonical: string,
  options: { readonly signal: AbortSignal; readonly body: () => Promise<T> },
): Promise<T> {
  const key = canonical.normalize("NFC").toLowerCase();
  const before = TAILS.get(key);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const tail = before === undefined ? released : before.then(() => released);
  TAILS.set(key, tail);
  try {
    if (before !== undefined) await abortable(before, options.signal);
    options.signal.throwIfAborted();
    return await options.body();
  } finally {
    release();
    if (TAILS.get(key) === tail) TAILS.delete(key);
  }
}
