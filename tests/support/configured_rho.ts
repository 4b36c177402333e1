/** A spawned rho whose own `config.toml` says what the test needs. */

import { joinPath } from "../../core/base/paths.ts";
import { SpawnedRho, type SpawnedRhoOptions, tempFolder } from "./spawned_rho.ts";

/** A rho and the home folder that was made for it. */
export interface ConfiguredRho extends AsyncDisposable {
  readonly rho: SpawnedRho;
  readonly home: string;
}

/** Options of {@linkcode startConfiguredRho}. */
export interface ConfiguredRhoOptions extends Omit<SpawnedRhoOptions, "home"> {
  /** The text of `config.toml`. */
  readonly config: string;
  /** The text of `models.jsonc`. */
  readonly models?: string;
}

/** Starts rho with a home folder of its own. */
export async function startConfiguredRho(options: ConfiguredRhoOptions): Promise<ConfiguredRho> {
  const home = await tempFolder("home");
  await Deno.writeTextFile(joinPath(home, "config.toml"), options.config);
  if (options.models !== undefined) {
    await Deno.writeTextFile(joinPath(home, "models.jsonc"), options.models);
  }
  const rho = await SpawnedRho.start({ ...options, home });
  return {
    rho,
    home,
    [Symbol.asyncDispose]: async () => {
      await rho[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

/** One `[[providers]]` entry. */
export function providerToml(name: string, endpoint: string, more = ""): string {
  return `[[providers]]\nname = "${name}"\nendpoint = "${endpoint}"\n${more}\n`;
}
