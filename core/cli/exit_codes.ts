/** What rho exits with. */
export const EXIT_CODES = {
  ok: 0,
  startFailed: 1,
  badFlags: 2,
  consentMissing: 3,
  /** The reply is incomplete, cut or filtered. */
  incomplete: 4,
  limitReached: 5,
  providerFailed: 6,
  /** Done, but something was denied. */
  denied: 7,
  interrupted: 130,
  outputClosed: 141,
  terminated: 143,
} as const;
