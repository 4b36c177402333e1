import type { ExtensionLimits, ExtensionSettings } from "../core/config/settings.ts";
import { comparableName } from "./check_manifest.ts";
import type { FoundExtension } from "./discovery.ts";
import type { LineTable } from "./load/line_table.ts";
import type { Manifest } from "./manifest.ts";

/** Where an extension stands, in the protocol's words. */
export type ExtensionStatus = "loaded" | "untrusted" | "disabled" | "failed";

/** One extension that was found, and what became of it. */
export interface ExtensionRecord {
  readonly found: FoundExtension;
  readonly limits: ExtensionLimits;
  readonly status: ExtensionStatus;
  /** Why it is not loaded, or what of it does not count. */
  readonly error?: string;
  /** Changes whenever its files do; empty when they cannot be read. */
  readonly hash: string;
  readonly manifest?: Manifest;
  readonly lines?: LineTable;
}

/** What an extension may do: the defaults, and what its own table says over them. */
export function limitsFor(name: string, settings: ExtensionSettings): ExtensionLimits {
  return { ...settings.defaults, ...byName(settings.perExtension, name) };
}

/** The table of an extension among those by name. */
export function byName<T>(tables: Readonly<Record<string, T>>, name: string): T | undefined {
  const wanted = comparableName(name);
  return Object.entries(tables).find(([key]) => comparableName(key) === wanted)?.[1];
}

/** Why the lists of the configuration leave an extension out, or `undefined`. */
export function switchedOff(name: string, settings: ExtensionSettings): string | undefined {
  const isIn = (list: readonly string[]) =>
    list.some((one) => comparableName(one) === comparableName(name));
  if (isIn(settings.disabled)) return 'it is listed in [extensions] "disabled"';
  if (settings.enabled !== undefined && !isIn(settings.enabled)) {
    return 'it is not listed in [extensions] "enabled"';
  }
  return undefined;
}
