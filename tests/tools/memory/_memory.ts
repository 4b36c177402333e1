import { SILENT_LOGGER } from "../../../core/base/log.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { FileTracker } from "../../../sessions/file_tracker.ts";
import { createMemoryTool, type MemoryArgs } from "../../../tools/memory/memory_tool.ts";
import type { ToolContext, ToolResult } from "../../../tools/tool.ts";

/** A memory in a temporary folder. */
export interface MemoryBench {
  readonly folder: string;
  readonly path: string;
  readonly call: (args: MemoryArgs) => Promise<ToolResult>;
  readonly close: () => void;
}

export async function withMemory(
  body: (bench: MemoryBench) => Promise<void>,
  redact: (text: string) => string = (text) => text,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "rho memory " });
  const path = `${folder}/.rho/memory.db`;
  const tool = createMemoryTool({ path, redact });
  const context: ToolContext = {
    signal: new AbortController().signal,
    sandbox: await SandboxRoot.open(folder),
    tracker: new FileTracker(),
    progress: () => {},
    logger: SILENT_LOGGER,
    callId: "1",
    maxOutputBytes: 32_768,
  };
  try {
    await body({
      folder,
      path,
      call: (args) => tool.execute(args, context),
      close: () => tool.close(),
    });
  } finally {
    tool.close();
    await Deno.remove(folder, { recursive: true });
  }
}
