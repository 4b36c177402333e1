import type { ExtensionLimits, ExtensionSettings } from "../core/config/settings.ts";
import type { FoundExtension } from "./discovery.ts";
import { ExtensionError } from "./extension_error.ts";
import { ExtensionLoader } from "./extension_loader.ts";
import { CodeCache } from "./load/code_cache.ts";
import type { Manifest } from "./manifest.ts";
import { hostLaunch } from "./supervise/host_launch.ts";
import { Supervisor } from "./supervise/supervisor.ts";

/** What a check found. */
export interface ExtensionCheck {
  readonly name: string;
  readonly manifest: Manifest | undefined;
  readonly limits: ExtensionLimits;
  readonly problems: readonly string[];
}

/**
 * Loads an extension in the sandbox, outside of any session, and lists what is wrong with it. Its
 * calls to rho are refused, save for those that ask where it is.
 */
export async function checkExtension(
  found: FoundExtension,
  options: {
    readonly settings: ExtensionSettings;
    readonly env: Readonly<Record<string, string>>;
    readonly root: string;
  },
): Promise<ExtensionCheck> {
  const { settings, env, root } = options;
  const supervisor = new Supervisor({
    launch: (maxHeapMb) => hostLaunch({ env, maxHeapMb }),
    serve: ({ name }) => {
      if (name === "getCwd") return Promise.resolve(root);
      if (name === "getConfig") return Promise.resolve({});
      const message = `rho.${name}() does nothing while an extension is checked`;
      return Promise.reject(new ExtensionError("extension_refused", message));
    },
    onLog: () => {},
  });
  try {
    const { enabled: _, ...others } = settings;
    const loader = new ExtensionLoader({
      settings: { ...others, disabled: [] },
      trust: undefined,
      cache: new CodeCache(undefined),
      supervisor,
    });
    const record = await loader.load(await loader.read(found));
    return {
      name: found.name,
      manifest: record.manifest,
      limits: record.limits,
      problems: record.error === undefined ? [] : [record.error],
    };
  } finally {
    await supervisor.close();
  }
}
