/**
 * Types for authors of rho extensions. rho copies this file to `~/.rho/types/rho.d.ts`; a file
 * below `~/.rho/extensions/` reaches it with
 *
 * ```ts
 * /// <reference path="../types/rho.d.ts" />
 * ```
 */

/** What an extension exports by default. */
interface ExtensionManifest {
  /** The name of its file without ending, or of its folder; `_` and `-` are the same. */
  name: string;
  version: string;
  description?: string;
  tools?: ExtensionTool[];
  hooks?: ExtensionHooks;
  commands?: ExtensionCommand[];
}

/** A tool that the model may call. Give `execute` or `executeJson`. */
interface ExtensionTool {
  /** 1 to 64 letters, digits, `_` or `-`; unique among all tools. */
  name: string;
  /** Addressed to the model. */
  description: string;
  /**
   * What a call may do. `read` runs unasked, except at the first call of a session when the
   * extension may use the network or run commands.
   * @default {"destructive"}
   */
  risk?: "read" | "write" | "destructive" | "network";
  /** A parameter a name, or a JSON Schema of type object. */
  parameters?: Record<string, ExtensionParameter> | ExtensionJsonSchema;
  /** Gets the arguments as JSON text. */
  // deno-lint-ignore no-explicit-any -- an author's own type
  execute?(args: string): any;
  /** Gets the arguments as an object. */
  // deno-lint-ignore no-explicit-any -- an author's own type
  executeJson?(args: any): any;
}

interface ExtensionParameter {
  type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  description?: string;
  required?: boolean;
  enum?: unknown[];
  default?: unknown;
  /** The JSON Schema of an array's items. */
  items?: Record<string, unknown>;
  /** The JSON Schemas of an object's fields. */
  properties?: Record<string, unknown>;
}

interface ExtensionJsonSchema {
  type: "object";
  properties?: Record<string, unknown>;
  required?: string[];
  [key: string]: unknown;
}

/** What a tool may return instead of a text. Anything else is shown as JSON. */
interface ExtensionToolResult {
  output: string;
  isError?: boolean;
  details?: unknown;
}

/** Each gets JSON text and has 5 seconds. */
interface ExtensionHooks {
  onLoad?(): unknown;
  /** Before a reload or the end; has 1 second. */
  onUnload?(): unknown;
  /** `{ sessionId, cursorId }` */
  onSessionStart?(payload: string): unknown;
  /** `{ sessionId, cursorId }` */
  onTurnStart?(payload: string): unknown;
  /** `{ sessionId, cursorId, result? | error? }` */
  onTurnEnd?(payload: string): unknown;
  /** `{ messages }`; what is appended is for this one request. */
  onBeforeModel?(payload: string): unknown | { append: string };
  /** `{ toolName, arguments, args, callId }`, before anybody is asked. */
  onToolCall?(
    payload: string,
  ): unknown | { action: "block"; reason: string } | { action: "modify"; arguments: unknown };
  /** `{ toolName, output, isError, callId }`; secrets in the output are masked. */
  onToolResult?(payload: string): unknown | { output?: string; isError?: boolean };
}

/** Something that a person runs through the editor (`runCommand`). */
interface ExtensionCommand {
  name: string;
  description: string;
  /** Gets what was given as JSON text. */
  handler(args: string): unknown;
}

/**
 * rho's own functions. They return at once; what is refused or fails throws an `Error` that says
 * why. Paths are relative to the project's root.
 */
declare const rho: {
  log(level: "error" | "warn" | "info" | "debug", message: string): void;
  readFile(path: string): string;
  writeFile(path: string, text: string): void;
  /** `*`, `?`, `**` and `{a,b}`; paths relative to the root, sorted. */
  listFiles(glob: string): string[];
  /** A program and its arguments, never a shell line. Needs `commands`. */
  runCommand(
    command: string,
    args?: string[],
    options?: { cwd?: string; timeoutSecs?: number },
  ): { stdout: string; stderr: string; exitCode: number };
  /** The project's root. */
  getCwd(): string;
  /** The id of the model in use. */
  getModel(): string;
  /** `[extensions.config."name"]` */
  // deno-lint-ignore no-explicit-any -- whatever the person wrote there
  getConfig(): any;
  /** State of this session's branch; `undefined` when there is none. Kinds: `ann.notes.v1`. */
  // deno-lint-ignore no-explicit-any -- an author's own type
  getState(kind: string): any;
  setState(kind: string, data: unknown): void;
  /** A message that the model reads. */
  addMessage(kind: string, text: string): void;
  joinPath(...parts: string[]): string;
  basename(path: string): string;
  dirname(path: string): string;
  /** The start of a text. */
  truncate(text: string, maxBytes: number, maxLines?: number): string;
};
