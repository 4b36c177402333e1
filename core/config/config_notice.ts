/** Something that people should know about their configuration, although rho starts. */
export interface ConfigNotice {
  /** Stable, for programs. */
  readonly code:
    | "config_unknown_key"
    | "config_user_file_only"
    | "config_provider"
    | "key_variable_hint"
    | "trust_pending"
    | "trust_store_damaged";
  readonly level: "warn" | "info";
  /** One line. */
  readonly message: string;
}
