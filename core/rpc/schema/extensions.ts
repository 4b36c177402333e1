import * as v from "valibot";
import { COUNT } from "./scalars.ts";

/** Result of `listExtensions`. */
export const LIST_EXTENSIONS_RESULT = v.object({
  extensions: v.array(v.object({
    name: v.string(),
    version: v.pipe(v.string(), v.description("Empty unless it is loaded")),
    path: v.pipe(v.string(), v.description("The file that it starts with")),
    tools: v.array(v.string()),
    commands: v.array(v.string()),
    hooks: v.array(v.string()),
    status: v.picklist(["loaded", "untrusted", "disabled", "failed"]),
    permissions: v.object({
      network: v.pipe(
        v.union([v.boolean(), v.array(v.string())]),
        v.description("Whether `fetch` works, or the hosts that it reaches"),
      ),
      commands: v.boolean(),
    }),
    error: v.optional(v.string()),
  })),
});

/** Result of `listExtensions`. */
export type ListExtensionsResult = v.InferOutput<typeof LIST_EXTENSIONS_RESULT>;

/** Result of `reloadExtensions`. */
export const RELOAD_EXTENSIONS_RESULT = v.object({
  added: COUNT,
  reloaded: COUNT,
  removed: COUNT,
  failed: COUNT,
  errors: v.array(v.object({ name: v.string(), error: v.string() })),
});

/** Result of `reloadExtensions`. */
export type ReloadExtensionsResult = v.InferOutput<typeof RELOAD_EXTENSIONS_RESULT>;

/** Result of `listCommands`. */
export const LIST_COMMANDS_RESULT = v.object({
  commands: v.array(v.object({
    name: v.string(),
    description: v.string(),
    extension: v.string(),
  })),
});

/** Result of `listCommands`. */
export type ListCommandsResult = v.InferOutput<typeof LIST_COMMANDS_RESULT>;

/** Params of `runCommand`. */
export const RUN_COMMAND_PARAMS = v.object({
  name: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.description("As `listCommands` has it; `extension:name` where two have the same"),
  ),
  args: v.optional(
    v.pipe(
      v.unknown(),
      v.description("Any JSON; the command gets it as JSON text, `{}` if absent"),
    ),
  ),
});

/** Params of `runCommand`. */
export type RunCommandParams = v.InferOutput<typeof RUN_COMMAND_PARAMS>;

/** Result of `runCommand`. */
export const RUN_COMMAND_RESULT = v.object({ output: v.string() });

/** Result of `runCommand`. */
export type RunCommandResult = v.InferOutput<typeof RUN_COMMAND_RESULT>;
