/** What the end-to-end tests of sessions share. */

import { RpcCallError } from "../../core/rpc/client.ts";
import { textTurn } from "./chat_chunks.ts";
import type { Script, ScriptedServer } from "./scripted_server.ts";
import { SpawnedRho, tempFolder } from "./spawned_rho.ts";

/** Folders that several rhos share, gone with the test. */
export async function sharedFolders(): Promise<
  { home: string; project: string } & AsyncDisposable
> {
  const home = await tempFolder("home");
  const project = await tempFolder("project");
  return {
    home,
    project,
    [Symbol.asyncDispose]: async () => {
      await Deno.remove(home, { recursive: true });
      await Deno.remove(project, { recursive: true });
    },
  };
}

/** Starts rho on a scripted model. */
export function start(
  server: ScriptedServer,
  options: { home?: string; project?: string; args?: string[] } = {},
): Promise<SpawnedRho> {
  const { args = [], ...folders } = options;
  return SpawnedRho.start({
    ...folders,
    args: ["--endpoint", server.endpoint, "--model", "m", ...args],
  });
}

/** A model that answers each prompt with "re: <prompt>". */
export const ECHO: Script = ({ json }) => textTurn(`re: ${json.messages.at(-1).content}`);

/** The code that a request fails with, or 0. */
export async function codeOf(promise: Promise<unknown>): Promise<number> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof RpcCallError) return error.rpcCode;
    throw error;
  }
  return 0;
}
