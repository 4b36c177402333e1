import { frame } from "../tools/framing.ts";
import type { Tool, ToolContext, ToolResult, ToolResultDetails, ToolRisk } from "../tools/tool.ts";
import { ExtensionError } from "./extension_error.ts";
import type { FileChange } from "./host_files.ts";
import { schemaFromJson } from "./json_schema_check.ts";
import { authorStack, type LineTable } from "./load/line_table.ts";
import type { ManifestTool } from "./manifest.ts";
import type { CallRequest } from "./supervise/extension_unit.ts";

/** What an adapted tool needs of its extension. */
export interface ExtensionToolContext {
  readonly extension: string;
  readonly canUseNetwork: boolean;
  readonly canRunCommands: boolean;
  readonly lines: LineTable;
  readonly call: (request: CallRequest) => Promise<string>;
  /** Names the session in use, so that a tool asks once in each. */
  readonly sessionKey: () => string;
  /** The files that the extension wrote since this was last called. */
  readonly takeChanges: () => readonly FileChange[];
}

/** What a tool returned, whatever its form. */
interface ToolAnswer {
  readonly output: string;
  readonly isError: boolean;
  readonly details?: ToolResultDetails;
}

/**
 * A tool of an extension as the agent knows tools. One that calls itself `read` while its extension
 * may use the network or run commands asks at its first call of a session: a prompt injection could
 * carry data out through it.
 */
export function extensionTool(
  tool: ManifestTool,
  context: ExtensionToolContext,
): Tool<Readonly<Record<string, unknown>>> {
  const asked = new Set<string>();
  const firstRisk = riskOfFirstCall(tool.risk, context);
  return {
    name: tool.name,
    description: tool.description,
    schema: schemaFromJson(tool.parameters),
    parameters: tool.parameters,
    risk: () => asked.has(context.sessionKey()) ? tool.risk : firstRisk,
    highestRisk: firstRisk,
    source: context.extension,
    execute: async (args, toolContext) => {
      // Who runs it has asked, or was told that nobody needs to be.
      asked.add(context.sessionKey());
      return await execute(tool, { args, toolContext, context });
    },
  };
}

function riskOfFirstCall(risk: ToolRisk, context: ExtensionToolContext): ToolRisk {
  if (risk !== "read") return risk;
  if (context.canRunCommands) return "destructive";
  return context.canUseNetwork ? "network" : "read";
}

async function execute(
  tool: ManifestTool,
  run: {
    readonly args: unknown;
    readonly toolContext: ToolContext;
    readonly context: ExtensionToolContext;
  },
): Promise<ToolResult> {
  const { context, toolContext } = run;
  const source = `extension ${context.extension}`;
  context.takeChanges();
  let answer: ToolAnswer;
  try {
    const text = await context.call({
      kind: "tool",
      target: tool.name,
      payload: JSON.stringify(run.args),
      isRepeatable: tool.risk === "read",
      signal: toolContext.signal,
    });
    answer = toolAnswer(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof ExtensionError)) throw error;
    answer = { output: failureText(error, context.lines), isError: true };
  }
  const change = context.takeChanges().at(-1);
  const details = answer.details ?? change;
  return {
    output: answer.output === "" ? "(no output)" : frame({ source }, answer.output),
    isError: answer.isError,
    ...(details === undefined ? {} : { details }),
  };
}

/** The message of a failure, with the author's own files and lines. */
export function failureText(error: ExtensionError, lines: LineTable): string {
  const { stack } = error.data;
  if (typeof stack !== "string" || stack === "") return error.message;
  const frames = authorStack(stack, lines).split("\n").filter((line) => /^\s+at /.test(line));
  return [error.message, ...frames.slice(0, 10)].join("\n");
}

/** Reads a result: a text, `{ output, isError, details }`, or anything else as JSON. */
function toolAnswer(value: unknown): ToolAnswer {
  if (value === null) return { output: "", isError: false };
  if (typeof value === "string") return { output: value, isError: false };
  if (typeof value !== "object" || !("output" in value)) {
    return { output: JSON.stringify(value), isError: false };
  }
  const { output } = value;
  const details = "details" in value ? knownDetails(value.details) : undefined;
  return {
    output: typeof output === "string" ? output : JSON.stringify(output),
    isError: "isError" in value && value.isError === true,
    ...(details === undefined ? {} : { details }),
  };
}

/** Details that clients know; others are of no use to anyone. */
function knownDetails(value: unknown): ToolResultDetails | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  if (value.type === "FullOutput" && "text" in value && typeof value.text === "string") {
    return { type: "FullOutput", text: value.text };
  }
  if (value.type === "Diagnostics" && "diagnostics" in value && Array.isArray(value.diagnostics)) {
    return { type: "Diagnostics", diagnostics: value.diagnostics };
  }
  return undefined;
}
