import { errorMessage, RhoError } from "../base/errors.ts";
import { joinPath } from "../base/paths.ts";
import { loadSettings, projectConfigFile, userConfigFile } from "../config/load_settings.ts";
import { chooseModel } from "../config/model_choice.ts";
import { endpointHost, isLoopbackEndpoint, type Provider } from "../config/provider.ts";
import { DEFAULT_SETTINGS, type Settings } from "../config/settings.ts";
import { listModels } from "../llm/models.ts";
import { pendingTrust } from "../security/pending_trust.ts";
import type { TrustStore } from "../security/trust_store.ts";
import { findProgram } from "../../tools/shell/find_program.ts";
import { chooseShell } from "../../tools/shell/shell_choice.ts";

/** One thing that was looked at. */
export interface Finding {
  /** `problem` is what keeps rho from working, `note` what may surprise. */
  readonly verdict: "ok" | "note" | "problem";
  readonly subject: string;
  readonly text: string;
}

/** What the doctor looks at. */
export interface DoctorPatient {
  readonly home: string | undefined;
  readonly root: string;
  /** Whether a marker made the folder the root; otherwise the working directory is it. */
  readonly isMarked: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly store: TrustStore;
}

/** Programs that tools use when they are there, and what for. */
const PROGRAMS: readonly (readonly [string, string])[] = [
  ["git", "version control"],
  ["rg", "faster searches"],
  ["cargo", "the Rust tools"],
];

/** Looks at everything that decides how rho behaves here; only providers are contacted. */
export async function examine(patient: DoctorPatient): Promise<readonly Finding[]> {
  const { root, isMarked, env } = patient;
  const findings: Finding[] = [{
    verdict: isMarked ? "ok" : "note",
    subject: "root",
    text: isMarked ? root : `${root} (no project marker found; pass --root to choose another one)`,
  }];
  const { settings, found } = await examineConfig(patient);
  findings.push(...found, ...examineModel(settings, env));
  for (const provider of settings.providers) findings.push(await examineProvider(provider, env));
  findings.push(examineShell(settings, env));
  for (const [name, use] of PROGRAMS) findings.push(examineProgram(name, { use, env }));
  findings.push(...await examineTrust(patient, settings));
  return findings;
}

async function examineConfig(
  { home, root, store }: DoctorPatient,
): Promise<{ settings: Settings; found: Finding[] }> {
  const files = [...(home === undefined ? [] : [userConfigFile(home)]), projectConfigFile(root)];
  const found = files.map((file): Finding => ({
    verdict: "ok",
    subject: "config",
    text: `${file}${isThere(file) ? "" : " (absent)"}`,
  }));
  try {
    const { settings, notices } = await loadSettings({ home, root, store });
    const noted = notices.map((notice): Finding => ({
      verdict: "note",
      subject: "config",
      text: notice.message,
    }));
    return { settings, found: [...found, ...noted] };
  } catch (error) {
    if (!(error instanceof RhoError)) throw error;
    const problem: Finding = { verdict: "problem", subject: "config", text: error.message };
    return { settings: DEFAULT_SETTINGS, found: [...found, problem] };
  }
}

function examineModel(settings: Settings, env: DoctorPatient["env"]): Finding[] {
  try {
    const { model, provider } = chooseModel({
      settings,
      acceptExternal: true,
      env: (name) => env[name],
    });
    const host = endpointHost(provider.endpoint);
    return [{
      verdict: "ok",
      subject: "model",
      text: `${model} at ${provider.name} (${host}) when started without flags`,
    }];
  } catch (error) {
    return [{ verdict: "problem", subject: "model", text: errorMessage(error) }];
  }
}

async function examineProvider(provider: Provider, env: DoctorPatient["env"]): Promise<Finding> {
  const place = isLoopbackEndpoint(provider.endpoint) ? "local" : "external";
  const head = `${provider.name}, ${place}, ${endpointHost(provider.endpoint)}`;
  const { apiKeyEnv } = provider;
  const key = apiKeyEnv === undefined
    ? "no key variable"
    : env[apiKeyEnv] === undefined
    ? `${apiKeyEnv} is not set`
    : `${apiKeyEnv} is set`;
  try {
    const models = await listModels(provider, { env: (name) => env[name] });
    return {
      verdict: "ok",
      subject: "provider",
      text: `${head}; ${key}; answers with ${models.length} models`,
    };
  } catch (error) {
    return {
      verdict: "problem",
      subject: "provider",
      text: `${head}; ${key}; ${errorMessage(error)}`,
    };
  }
}

function examineShell(settings: Settings, env: DoctorPatient["env"]): Finding {
  try {
    const { name, path } = chooseShell(settings.shell, { env });
    return { verdict: "ok", subject: "shell", text: `${name}, ${path}` };
  } catch (error) {
    return { verdict: "problem", subject: "shell", text: errorMessage(error) };
  }
}

function examineProgram(
  name: string,
  options: { use: string; env: DoctorPatient["env"] },
): Finding {
  const path = findProgram(name, { env: options.env });
  return path === undefined
    ? { verdict: "note", subject: "program", text: `${name} is not in PATH (${options.use})` }
    : { verdict: "ok", subject: "program", text: `${name}, ${path}` };
}

async function examineTrust(patient: DoctorPatient, settings: Settings): Promise<Finding[]> {
  const { root, store } = patient;
  const pending = await pendingTrust({ root, settings, store });
  return pending.map(({ path, kind }): Finding => ({
    verdict: "note",
    subject: "trust",
    text: `${path} (${kind}) waits for a review: rho trust`,
  }));
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The folder that sessions are kept in, for display. */
export function sessionsFolder(home: string | undefined): string {
  return home === undefined ? "(no home folder: nothing is kept)" : joinPath(home, "sessions");
}
