/** Runs every bench and prints one table; with `--json FILE` writes the rows as well. */

import { type BenchRow, benchTable } from "./bench_report.ts";
import { benchContext } from "./context_bench.ts";
import { benchSearch } from "./search_bench.ts";
import { benchSessions } from "./sessions_bench.ts";
import { benchStartup } from "./startup_bench.ts";
import { benchTurns } from "./turn_bench.ts";

const BENCHES: readonly (readonly [string, () => Promise<readonly BenchRow[]>])[] = [
  ["startup", benchStartup],
  ["turns", benchTurns],
  ["sessions", benchSessions],
  ["context", benchContext],
  ["search", benchSearch],
];

const filter = Deno.args.find((arg) => !arg.startsWith("--"));
const rows: BenchRow[] = [];
for (const [name, run] of BENCHES) {
  if (filter !== undefined && !name.includes(filter)) continue;
  rows.push(...await run());
}
await Deno.stdout.write(new TextEncoder().encode(`${benchTable(rows)}\n`));
const jsonAt = Deno.args.indexOf("--json");
if (jsonAt >= 0) {
  await Deno.writeTextFile(Deno.args[jsonAt + 1] ?? "bench.json", JSON.stringify(rows, null, 2));
}
