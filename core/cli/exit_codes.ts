/** What rho exits with. */
export const EXIT_CODES = {
  ok: 0,
  startFailed: 1,
  badFlags: 2,
  consentMissing: 3,
  interrupted: 130,
  outputClosed: 141,
  terminated: 143,
} as const;
