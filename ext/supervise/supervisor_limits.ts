/** The times and sizes by which extensions are supervised, all in milliseconds or as named. */
export interface SupervisorLimits {
  /** How long a host may take to say `ready`. */
  readonly hostStartMs: number;
  /** What loading may take, however short the limit of a call is: a host may have to start. */
  readonly leastLoadMs: number;
  /** How long a worker that is not busy may take to answer. */
  readonly probeMs: number;
  /** How long a worker may be silent while memory grows beyond its limit. */
  readonly memoryProbeMs: number;
  /** How often idle workers are asked whether they live. */
  readonly heartbeatMs: number;
  /** How long an idle worker may take to answer the heartbeat. */
  readonly heartbeatProbeMs: number;
  /** What a busy worker may take beyond its memory limit before it counts, in MB: garbage. */
  readonly memorySlackMb: number;
  /** Crashes within `crashWindowMs` that disable an extension. */
  readonly maxCrashes: number;
  readonly crashWindowMs: number;
}

/** What holds outside of tests. */
export const SUPERVISOR_LIMITS: SupervisorLimits = {
  hostStartMs: 10_000,
  leastLoadMs: 2_000,
  probeMs: 250,
  memoryProbeMs: 100,
  heartbeatMs: 5_000,
  heartbeatProbeMs: 2_000,
  memorySlackMb: 48,
  maxCrashes: 3,
  crashWindowMs: 5 * 60_000,
};
