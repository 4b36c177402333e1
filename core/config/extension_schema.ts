import * as v from "valibot";
import {
  flag,
  isTable,
  key,
  number,
  oneOf,
  table,
  tableOf,
  texts,
  type TomlTable,
  wholeNumber,
} from "./schema_scalars.ts";

const EXTENSION_LIMITS = {
  network: v.union([flag(), texts()], "true, false or a list of hosts"),
  commands: flag(),
  max_memory_mb: wholeNumber(8, 65_536),
  max_execution_time_s: number(0.1, 3600),
};

/** Deeper settings of extensions would only serve to exhaust the stack. */
const MAX_DEPTH = 16;

const EXTENSION_CONFIG = v.custom<TomlTable>(
  (value) => isTable(value) && isShallow(value, MAX_DEPTH),
  `a table, nested at most ${MAX_DEPTH} deep`,
);

function isShallow(value: unknown, depth: number): boolean {
  if (!isTable(value) && !Array.isArray(value)) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}

/** `[extensions]` */
export const EXTENSION_SCHEMA = table({
  enabled: key(texts(), "The only extensions that load. Without it: all."),
  disabled: key(texts(), "Extensions that never load.", { default: "[]" }),
  watch: key(flag(), "Reload an extension when a file of it is saved.", { default: "false" }),
  on_hook_error: key(
    oneOf(["skip", "block"]),
    "What becomes of a call whose hook failed: the hook is skipped, or the call blocked.",
    { default: '"skip"' },
  ),
  defaults: key(
    table({
      network: key(EXTENSION_LIMITS.network, "Whether `fetch` works, or the hosts it reaches.", {
        default: "true",
      }),
      commands: key(EXTENSION_LIMITS.commands, "Whether `rho.runCommand()` works.", {
        default: "true",
      }),
      max_memory_mb: key(EXTENSION_LIMITS.max_memory_mb, "The memory of one, in MB.", {
        default: "64",
      }),
      max_execution_time_s: key(
        EXTENSION_LIMITS.max_execution_time_s,
        "The longest call, in seconds.",
        { default: "30" },
      ),
    }),
    "What every extension may do.",
  ),
  per_extension: key(
    tableOf(table({
      network: key(EXTENSION_LIMITS.network, "As in `[extensions.defaults]`."),
      commands: key(EXTENSION_LIMITS.commands, "As in `[extensions.defaults]`."),
      max_memory_mb: key(EXTENSION_LIMITS.max_memory_mb, "As in `[extensions.defaults]`."),
      max_execution_time_s: key(
        EXTENSION_LIMITS.max_execution_time_s,
        "As in `[extensions.defaults]`.",
      ),
    })),
    "What one extension may do, by its name; what is absent is as in the defaults.",
  ),
  config: key(
    tableOf(EXTENSION_CONFIG),
    "What `rho.getConfig()` returns to an extension, by its name: anything.",
  ),
});
