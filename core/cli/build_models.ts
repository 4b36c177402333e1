import { errorMessage, StartupError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { isAbsolutePath, joinPath } from "../base/paths.ts";
import { type AgentModel, agentModel } from "../agent/agent_model.ts";
import type { ModelSwitch } from "../agent/model_switch.ts";
import type { ModelChoice } from "../config/model_choice.ts";
import { DEMO_ENDPOINT } from "../config/presets.ts";
import { isLoopbackEndpoint, type Provider } from "../config/provider.ts";
import type { ReadEnv } from "../config/rho_home.ts";
import type { Settings } from "../config/settings.ts";
import type { RequestLog } from "../llm/request_log.ts";
import { createLlmService } from "../llm/service.ts";
import type { LlmService } from "../llm/types.ts";
import type { CliOptions } from "./cli_options.ts";

/** The model to start with, and the way to others. */
export interface BuiltModels {
  readonly model: AgentModel;
  readonly models: () => Promise<ModelSwitch>;
  readonly closeRequestLog: () => void;
}

/** What models are built from. */
export interface BuildModelsSetup {
  readonly choice: ModelChoice;
  readonly settings: Settings;
  readonly env: ReadEnv;
  readonly home: string | undefined;
  readonly cwd: string;
  readonly redact: (text: string) => string;
  readonly logger: Logger;
}

/**
 * Builds the chosen model and the switch to others. Nothing is contacted.
 *
 * @throws {StartupError} when the file of `--log-requests` cannot be opened.
 */
export async function buildModels(
  options: CliOptions,
  setup: BuildModelsSetup,
): Promise<BuiltModels> {
  const { choice, settings, env, home, redact, logger } = setup;
  const requestLog = await openLog(options, setup);
  const connect = (provider: Provider) =>
    createLlmService(provider, {
      limits: settings.limits,
      firstTokenTimeoutConfigured: settings.firstTokenTimeoutConfigured,
      env,
      redact,
      logger,
      ...(requestLog === undefined ? {} : { requestLog }),
    });
  const makeService = (provider: Provider) =>
    provider.endpoint === DEMO_ENDPOINT
      ? lazyDemo((endpoint) => connect({ ...provider, endpoint }))
      : connect(provider);
  const deps = {
    home,
    env,
    redact,
    makeService,
    ...(requestLog === undefined ? {} : { requestLog }),
  };
  warnOfMissingKey(choice.provider, { env, logger });
  let made: Promise<ModelSwitch> | undefined;
  return {
    model: agentModel(choice.provider, choice.model, deps),
    models: () =>
      made ??= (import("../agent/model_switch.ts" as string) as Promise<
        typeof import("../agent/model_switch.ts")
      >).then(({ ModelSwitch }) =>
        new ModelSwitch({
          ...deps,
          providers: choice.providers,
          ...(choice.preferred === undefined ? {} : { preferred: choice.preferred }),
          mayUse: (provider) => isAgreed(provider, { options, settings }),
        })
      ),
    closeRequestLog: () => requestLog?.close(),
  };
}

/** The scripted model of the preset `demo`; loaded and served when it is first asked. */
function lazyDemo(connect: (endpoint: string) => LlmService): LlmService {
  let service: Promise<LlmService> | undefined;
  return {
    async *stream(request, options) {
      service ??= (import("./demo/demo_service.ts" as string) as Promise<
        typeof import("./demo/demo_service.ts")
      >).then(({ demoService }) => demoService(connect));
      yield* (await service).stream(request, options);
    },
  };
}

/** The rule of the start: flags or the user's own file agree, `--endpoint` to its own provider. */
function isAgreed(
  { name, endpoint }: Provider,
  given: { readonly options: CliOptions; readonly settings: Settings },
): boolean {
  const { options, settings } = given;
  return isLoopbackEndpoint(endpoint) || options.acceptExternal ||
    endpoint === options.endpoint || settings.consentProviders.includes(name);
}

function warnOfMissingKey(
  { name, apiKeyEnv }: Provider,
  { env, logger }: { readonly env: ReadEnv; readonly logger: Logger },
): void {
  if (apiKeyEnv === undefined || (env(apiKeyEnv) ?? "").trim() !== "") return;
  logger.info(
    `The environment variable "${apiKeyEnv}" is not set; requests to provider "${name}" carry no key`,
  );
}

async function openLog(
  { logRequests }: CliOptions,
  { cwd, redact }: BuildModelsSetup,
): Promise<RequestLog | undefined> {
  if (logRequests === undefined) return undefined;
  const { openRequestLog } = await (import("../llm/request_log.ts" as string) as Promise<
    typeof import("../llm/request_log.ts")
  >);
  try {
    return openRequestLog(isAbsolutePath(logRequests) ? logRequests : joinPath(cwd, logRequests), {
      redact,
    });
  } catch (cause) {
    throw new StartupError(
      `Cannot write --log-requests "${logRequests}": ${errorMessage(cause)}`,
      { cause },
    );
  }
}
