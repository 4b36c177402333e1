import type { ConfigNotice } from "./config_notice.ts";
import type { Settings } from "./settings.ts";

/** What the configuration files say. */
export interface LoadedSettings {
  readonly settings: Settings;
  /** What people should know, in order; the caller logs it. */
  readonly notices: readonly ConfigNotice[];
}

/** The configuration files that exist. */
export interface PresentFiles {
  readonly user?: string;
  readonly project?: string;
}
