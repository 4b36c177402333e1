/**
 * Writes `docs/openrpc.json` from the protocol's schemas; with `--check` only compares and exits
 * with 1 when the file is stale.
 */

import { VERSION } from "../../core/base/version.ts";
import { openRpcDocument } from "../../core/rpc/openrpc.ts";

const FILE = new URL("../../docs/openrpc.json", import.meta.url);
const text = JSON.stringify(openRpcDocument(VERSION), null, 2) + "\n";

if (!Deno.args.includes("--check")) {
  await Deno.writeTextFile(FILE, text);
} else if (await Deno.readTextFile(FILE).catch(() => "") !== text) {
  await Deno.stderr.write(
    new TextEncoder().encode("docs/openrpc.json is stale: run deno task schema\n"),
  );
  Deno.exit(1);
}
