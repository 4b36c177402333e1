import { joinPath } from "../base/paths.ts";
import type { Settings } from "../config/settings.ts";
import { codePaths } from "./extension_files.ts";
import { NATIVE_RULES, realPathOrUndefined } from "./path_probe.ts";
import { isInside } from "./path_rules.ts";
import { sha256Hex } from "./sha256.ts";
import type { TrustStore } from "./trust_store.ts";

/** What a file of a project is to rho. */
export type TrustKind = "context" | "extension" | "config";

/** A file that counts only after a review, and has not had one in its present form. */
export interface PendingFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: TrustKind;
  /** Of the bytes that `text` shows, in lowercase hex. */
  readonly sha256: string;
  readonly text: string;
}

/** Where files of one kind are; what does not exist may be among them. */
export interface TrustSource {
  readonly kind: TrustKind;
  /** Absolute paths below the root. */
  readonly paths: (root: string, settings: Settings) => readonly string[];
}

/** What {@linkcode pendingTrust} looks at unless told otherwise. */
export const TRUST_SOURCES: readonly TrustSource[] = [
  { kind: "config", paths: (root) => [joinPath(root, ".rho", "config.toml")] },
  {
    kind: "context",
    paths: (root, settings) => settings.scanList.map((name) => joinPath(root, ...name.split("/"))),
  },
  { kind: "extension", paths: (root) => codePaths(joinPath(root, ".rho", "extensions")) },
];

/** Options of {@linkcode pendingTrust}. */
export interface PendingTrustOptions {
  readonly root: string;
  readonly settings: Settings;
  readonly store: TrustStore;
  /** @default {TRUST_SOURCES} */
  readonly sources?: readonly TrustSource[];
}

/** The largest file that is shown for review, in bytes; nobody reads more. */
export const MAX_REVIEW_BYTES = 1024 * 1024;

/**
 * The files of a project that wait for a review, in the order of the sources. Files that a link
 * leads out of the root to are none of the project's, and never among them.
 */
export async function pendingTrust(options: PendingTrustOptions): Promise<readonly PendingFile[]> {
  const { root, settings, store, sources = TRUST_SOURCES } = options;
  const pending: PendingFile[] = [];
  const seen = new Set<string>();
  for (const { kind, paths } of sources) {
    for (const path of paths(root, settings)) {
      const real = realPathOrUndefined(path);
      if (real === undefined || seen.has(real) || !isInside(root, real, NATIVE_RULES)) continue;
      seen.add(real);
      const bytes = readReviewable(real);
      if (bytes === undefined || await store.isTrusted(real, bytes)) continue;
      pending.push({
        path,
        kind,
        sha256: await sha256Hex(bytes),
        text: new TextDecoder().decode(bytes),
      });
    }
  }
  return pending;
}

function readReviewable(path: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const { isFile, size } = Deno.statSync(path);
    return isFile && size <= MAX_REVIEW_BYTES ? Deno.readFileSync(path) : undefined;
  } catch {
    // What cannot be read has no effect on rho either.
    return undefined;
  }
}
