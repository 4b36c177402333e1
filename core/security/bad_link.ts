import { realPathOrUndefined } from "./path_probe.ts";

/** A link below the root that leads out of it or to nothing. */
export interface BadLink {
  readonly at: string;
  /** As the link has it. */
  readonly target: string;
  readonly dangling: boolean;
}

/**
 * The first of some paths, each below the one before, that is a bad link. The search ends where
 * nothing exists.
 */
export function firstBadLink(
  paths: readonly string[],
  contains: (canonical: string) => boolean,
): BadLink | undefined {
  for (const at of paths) {
    try {
      if (!Deno.lstatSync(at).isSymlink) continue;
      const real = realPathOrUndefined(at);
      if (real !== undefined && contains(real)) continue;
      return { at, target: Deno.readLinkSync(at), dangling: real === undefined };
    } catch {
      return undefined;
    }
  }
  return undefined;
}
