import type { TrustStore } from "../security/trust_store.ts";
import { checkConfig, invalidConfig } from "./check_config.ts";
import { configText, readConfigBytes } from "./config_files.ts";
import type { ConfigNotice } from "./config_notice.ts";
import type { ConfigFile } from "./config_schema.ts";
import { formatKeyPath, formatKeyPaths, leafPaths } from "./key_path.ts";
import type { LoadedSettings, PresentFiles } from "./loaded_settings.ts";
import { mergeConfig } from "./merge_config.ts";
import type { Provider } from "./provider.ts";
import { mergeProviders, resolveProviders } from "./provider_registry.ts";
import type { TomlTable } from "./schema_scalars.ts";
import { settingsFrom } from "./settings_from_config.ts";
import { parseToml } from "./toml_text.ts";
import { countingPart } from "./unreviewed_config.ts";
import { withoutUserFileKeys } from "./user_file_only.ts";

/** One file, checked. */
interface Part {
  readonly config: ConfigFile;
  readonly providers: readonly Provider[];
  readonly notices: readonly ConfigNotice[];
}

const NO_PART: Part = { config: {}, providers: [], notices: [] };

/**
 * The settings that the present files make, the project's over the user's.
 *
 * @throws {ConfigError} when a file cannot be read, parsed or accepted.
 */
export async function settingsFromFiles(
  files: PresentFiles,
  store: TrustStore,
): Promise<LoadedSettings> {
  const user = files.user === undefined ? NO_PART : userPart(await readParsed(files.user));
  if (files.project === undefined) {
    return { settings: settingsFrom(user.config, user.providers), notices: user.notices };
  }
  const parsed = await readParsed(files.project);
  const isReviewed = await store.isTrusted(parsed.file, parsed.bytes);
  const project = projectPart(parsed, { user, isReviewed });
  return {
    settings: settingsFrom(
      mergeConfig(user.config, project.config),
      mergeProviders(user.providers, project.providers),
    ),
    notices: [...user.notices, ...project.notices],
  };
}

/** A file's bytes and what they mean as TOML. */
interface ParsedFile {
  readonly file: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly table: TomlTable;
}

async function readParsed(file: string): Promise<ParsedFile> {
  const bytes = await readConfigBytes(file);
  return { file, bytes, table: parseToml(configText(bytes, file), file) };
}

function userPart({ table, file }: ParsedFile): Part {
  const { config, notices } = checkConfig(table, file);
  return withProviders(config, { file, notices });
}

function projectPart(
  { table, file }: ParsedFile,
  { user, isReviewed }: { readonly user: Part; readonly isReviewed: boolean },
): Part {
  const checked = checkConfig(table, file);
  const { config, notices } = withoutUserFileKeys(checked.config, file);
  if (isReviewed) {
    return withProviders(config, { file, notices: [...checked.notices, ...notices] });
  }
  const counting = countingPart(config, settingsFrom(user.config, user.providers));
  return {
    config: counting,
    providers: [],
    notices: [...checked.notices, ...notices, ...leftOut(config, counting, file)],
  };
}

/** One line that says what of an unreviewed file does not count; none when all of it does. */
function leftOut(config: ConfigFile, counting: ConfigFile, file: string): ConfigNotice[] {
  const kept = new Set(leafPaths(counting).map(formatKeyPath));
  const paths = leafPaths(config).filter((path) => !kept.has(formatKeyPath(path)));
  if (paths.length === 0) return [];
  return [{
    code: "trust_pending",
    level: "warn",
    message: `Nobody has reviewed "${file}"; left out: ${formatKeyPaths(paths)}. ` +
      "To review it, run: rho trust",
  }];
}

/** Takes the providers out of a file's settings, those under the old `[provider]` included. */
function withProviders(
  { providers = [], provider, ...config }: ConfigFile,
  source: { readonly file: string; readonly notices: readonly ConfigNotice[] },
): Part {
  const entries = provider === undefined ? providers : [...providers, provider];
  const resolved = resolveProviders(entries, source.file);
  if (resolved.problems.length > 0) throw invalidConfig(resolved.problems, source.file);
  return {
    config,
    providers: resolved.providers,
    notices: [...source.notices, ...resolved.notices],
  };
}
