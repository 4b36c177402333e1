import { checkConfig, type CheckedConfig } from "../../../core/config/check_config.ts";
import { settingsFrom } from "../../../core/config/settings_from_config.ts";
import type { Settings } from "../../../core/config/settings.ts";
import { parseToml } from "../../../core/config/toml_text.ts";

/** Where the tests' texts pretend to come from. */
export const FILE = "/home/u/.rho/config.toml";

/** Parses and checks a text as rho does. */
export function checkText(text: string): CheckedConfig {
  return checkConfig(parseToml(text, FILE), FILE);
}

/** The settings that a user's file makes, providers apart. */
export function settingsOf(text: string): Settings {
  return settingsFrom(checkText(text).config, []);
}
