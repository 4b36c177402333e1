import { ExtensionError } from "../extension_error.ts";
import { HostProcess, type HostProcessOptions } from "./host_process.ts";

/** A host and when it can be used. */
export interface RunningHost {
  readonly process: HostProcess;
  readonly ready: PromiseWithResolvers<void>;
}

/** Starts a host; it is given up when it does not say `ready` in time. */
export function startHost(
  options: HostProcessOptions & { readonly startMs: number },
): RunningHost {
  const ready = Promise.withResolvers<void>();
  const process = HostProcess.start(options);
  const timer = setTimeout(
    () => ready.reject(new ExtensionError("extension_load", "The extension host did not start")),
    options.startMs,
  );
  ready.promise.catch(() => {}).finally(() => clearTimeout(timer));
  return { process, ready };
}
