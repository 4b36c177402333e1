import { isAbsolutePath, joinPath } from "../base/paths.ts";
import { createLogger } from "../base/log.ts";
import { encodeUtf8, makeVisible } from "../base/text.ts";
import { DEFAULT_SETTINGS } from "../config/settings.ts";
import { loadSettings } from "../config/load_settings.ts";
import { rhoHome, userHome } from "../config/rho_home.ts";
import { TrustStore } from "../security/trust_store.ts";
import { extensionAt } from "../../ext/discovery.ts";
import { checkExtension, type ExtensionCheck } from "../../ext/check_extension.ts";
import { starterSource } from "../../ext/starter.ts";
import { copyTypes } from "../../ext/types_copy.ts";
import type { AppIo } from "./app_io.ts";
import type { ExtArguments } from "./ext_arguments.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { projectFolder } from "./project_folder.ts";

/**
 * `rho ext init <name>` writes a starter into the user's folder of extensions; `rho ext check
 * <path>` loads one in the sandbox and says what it is and what is wrong with it.
 *
 * @returns the exit code: 1 for any problem.
 */
export async function runExtCommand(args: ExtArguments, io: AppIo): Promise<number> {
  return args.action === "init" ? await init(args.name, io) : await check(args.path, io);
}

async function init(name: string, io: AppIo): Promise<number> {
  const home = rhoHome((key) => io.env[key]);
  if (home === undefined) return fail(io, "Cannot write an extension: set HOME or RHO_HOME");
  const folder = joinPath(home, "extensions");
  const path = joinPath(folder, `${name}.ts`);
  try {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(path, starterSource(name), { createNew: true });
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      return fail(io, `Cannot write "${path}": it exists; choose another name`);
    }
    return fail(io, `Cannot write "${path}": ${error instanceof Error ? error.message : error}`);
  }
  copyTypes(home);
  await print(io, `Wrote ${path}\nCheck it with: rho ext check ${path}\n`);
  return EXIT_CODES.ok;
}

async function check(path: string, io: AppIo): Promise<number> {
  const env = (key: string) => io.env[key];
  const absolute = isAbsolutePath(path) ? path : joinPath(io.cwd, path);
  const found = extensionAt(absolute);
  if (found === undefined) {
    return fail(io, `Cannot check "${path}": it is no .ts or .js file and no folder`);
  }
  const home = rhoHome(env);
  const person = userHome(env);
  const logger = createLogger({ write: io.stderr });
  const root = projectFolder({
    cwd: io.cwd,
    logger,
    ...(person === undefined ? {} : { home: person }),
  });
  const store = new TrustStore({ home });
  const settings = await loadSettings({ home, root, store }).then(({ settings }) => settings)
    .catch(() => DEFAULT_SETTINGS);
  const result = await checkExtension(found, {
    settings: settings.extensions,
    env: io.env,
    root,
  });
  await print(io, makeVisible(describe(result)));
  if (result.problems.length === 0) return EXIT_CODES.ok;
  for (const problem of result.problems) io.stderr(`rho: error: ${makeVisible(problem)}\n`);
  return EXIT_CODES.startFailed;
}

function describe({ name, manifest, limits }: ExtensionCheck): string {
  const { network, commands, maxMemoryMb, maxExecutionMs } = limits;
  const reach = typeof network === "boolean"
    ? (network ? "all hosts" : "none")
    : network.join(", ");
  const lines = [
    `${name} ${manifest?.version ?? "(not loaded)"}`,
    ...(manifest?.tools ?? []).map((tool) => `  tool     ${tool.name} (${tool.risk})`),
    ...(manifest?.commands ?? []).map((command) => `  command  ${command.name}`),
    ...(manifest?.hooks ?? []).map((hook) => `  hook     ${hook}`),
    `  network  ${reach}`,
    `  commands ${commands ? "yes" : "no"}`,
    `  limits   ${maxMemoryMb} MB, ${maxExecutionMs / 1000} s a call`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function fail(io: AppIo, message: string): number {
  io.stderr(`rho: error: ${message}\n`);
  return EXIT_CODES.startFailed;
}

async function print(io: AppIo, text: string): Promise<void> {
  const bytes = encodeUtf8(text);
  for (let at = 0; at < bytes.length;) at += await io.stdout.write(bytes.subarray(at));
}
