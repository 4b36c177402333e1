/** Something about a session that its user should hear once. */
export interface SessionNotice {
  /** Stable, snake_case. */
  readonly code: string;
  readonly level: "info" | "warn";
  readonly message: string;
}
