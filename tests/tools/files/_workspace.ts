import { SILENT_LOGGER } from "../../../core/base/log.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { FileTracker } from "../../../sessions/file_tracker.ts";
import type { Tool, ToolContext, ToolResult } from "../../../tools/tool.ts";

/** A temporary root with a context for tools. */
export interface Workspace {
  readonly root: string;
  readonly sandbox: SandboxRoot;
  readonly tracker: FileTracker;
  readonly context: ToolContext;
  /** Runs a tool as the agent does: guard, then execute. */
  run<Args>(tool: Tool<Args>, args: Args): Promise<ToolResult>;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): string;
  bytes(path: string): Uint8Array;
  /** Names of everything in the root, for finding leftovers. */
  names(): string[];
}

export async function withWorkspace(
  body: (workspace: Workspace) => Promise<void>,
  options: { readonly maxOutputBytes?: number } = {},
): Promise<void> {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rho files " }));
  const root = `${base}/root`;
  Deno.mkdirSync(root);
  try {
    const sandbox = await SandboxRoot.open(root);
    const tracker = new FileTracker();
    const context: ToolContext = {
      signal: new AbortController().signal,
      sandbox,
      tracker,
      progress: () => {},
      logger: SILENT_LOGGER,
      callId: "call_1",
      maxOutputBytes: options.maxOutputBytes ?? 64 * 1024,
    };
    await body({
      root,
      sandbox,
      tracker,
      context,
      run: async (tool, args) => {
        await tool.guard?.(args, context);
        return await tool.execute(args, context);
      },
      write: (path, content) => {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
        Deno.writeFileSync(`${root}/${path}`, bytes);
      },
      read: (path) =>
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(
          Deno.readFileSync(`${root}/${path}`),
        ),
      bytes: (path) => Deno.readFileSync(`${root}/${path}`),
      names: () => [...Deno.readDirSync(root)].map(({ name }) => name).sort(),
    });
  } finally {
    Deno.removeSync(base, { recursive: true });
  }
}
