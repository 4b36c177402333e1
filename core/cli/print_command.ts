import { BUILD_COMMIT } from "../base/build.ts";
import { encodeUtf8 } from "../base/text.ts";
import { VERSION } from "../base/version.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { helpPage } from "./help.ts";

/** Writes text to stdout, all of it. */
export async function printText(text: string): Promise<void> {
  const bytes = encodeUtf8(text);
  for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
}

/** `rho --help`. */
export async function printHelp(): Promise<number> {
  await printText(helpPage());
  return EXIT_CODES.ok;
}

/** `rho --version`. */
export async function printVersion(): Promise<number> {
  await printText(
    `rho ${VERSION} (${BUILD_COMMIT}, deno ${Deno.version.deno}, ${Deno.build.target})\n`,
  );
  return EXIT_CODES.ok;
}

/** `rho completions`: the script for a shell. */
export async function printCompletions(
  shell: string,
  subcommands: readonly string[],
): Promise<number> {
  const { completionScript } =
    await (import("./completions.ts" as string) as Promise<typeof import("./completions.ts")>);
  await printText(completionScript(shell, subcommands));
  return EXIT_CODES.ok;
}

/** `rho schema`: the protocol as an OpenRPC document. */
export async function printSchema(): Promise<number> {
  const { openRpcDocument } =
    await (import("../rpc/openrpc.ts" as string) as Promise<typeof import("../rpc/openrpc.ts")>);
  await printText(`${JSON.stringify(openRpcDocument(VERSION), null, 2)}\n`);
  return EXIT_CODES.ok;
}
