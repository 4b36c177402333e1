import type { Clock } from "../../core/base/clock.ts";
import type { Logger } from "../../core/base/log.ts";
import type { HostLaunch } from "./host_launch.ts";
import type { SupervisorLimits } from "./supervisor_limits.ts";

/** Serves what extensions ask rho for; the result is sent as JSON. What it throws is the answer. */
export type HostCallServer = (
  call: { readonly extension: string; readonly name: string; readonly args: readonly unknown[] },
  options: { readonly signal: AbortSignal },
) => Promise<unknown>;

/** Options of a supervisor. */
export interface SupervisorOptions {
  /** How a host is started whose workers have at most so much heap. */
  readonly launch: (maxHeapMb: number) => HostLaunch;
  readonly serve: HostCallServer;
  readonly onLog: (line: { extension: string; level: string; message: string }) => void;
  readonly limits?: Partial<SupervisorLimits>;
  readonly logger?: Logger;
  readonly clock?: Clock;
}
