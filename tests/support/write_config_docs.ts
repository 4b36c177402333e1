/**
 * Writes `docs/configuration.md` from the configuration's schema; with `--check` only compares and
 * exits with 1 when the file is stale.
 */

import { CONFIG_PAGE, configReference } from "./config_reference.ts";

const text = await configReference();

if (!Deno.args.includes("--check")) {
  await Deno.writeTextFile(CONFIG_PAGE, text);
} else if (await Deno.readTextFile(CONFIG_PAGE).catch(() => "") !== text) {
  await Deno.stderr.write(
    new TextEncoder().encode(
      "docs/configuration.md is stale: run " +
        "deno run -A --no-prompt tests/support/write_config_docs.ts\n",
    ),
  );
  Deno.exit(1);
}
