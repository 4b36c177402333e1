/** What the denylist and the syntax check cost: the first time, which loads a grammar, and later. */

import { DEFAULT_SETTINGS } from "../../core/config/settings.ts";
import { ALLOWED_POSIX } from "../fixtures/denylist/allowed_posix.ts";
import { ALLOWED_POWERSHELL } from "../fixtures/denylist/allowed_powershell.ts";
import { DENIED_POSIX } from "../fixtures/denylist/denied_posix.ts";
import { DENIED_POWERSHELL } from "../fixtures/denylist/denied_powershell.ts";

/** One measured thing. */
export interface SyntaxBenchRow {
  readonly name: string;
  readonly medianMs: number;
  readonly worstMs: number;
}

const CODE = "export function f(a: number): number {\n  return a * 2 + g(a);\n}\n";

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function row(name: string, times: readonly number[]): SyntaxBenchRow {
  const sorted = times.toSorted((a, b) => a - b);
  return { name, medianMs: sorted[sorted.length >> 1] ?? 0, worstMs: sorted.at(-1) ?? 0 };
}

/** Measures in this process; run it in a fresh one, or nothing is the first time. */
export async function benchSyntax(): Promise<SyntaxBenchRow[]> {
  const rows: SyntaxBenchRow[] = [];
  const judgeFirst = await timeMs(async () => {
    const { CommandJudge } = await import("../../tools/denylist/command_judge.ts");
    const judge = new CommandJudge({ denylist: DEFAULT_SETTINGS.denylist });
    await judge.judgeShell({ command: "cargo test 2>&1 | tail -n 30", language: "posix" });
  });
  rows.push(row("first judged command", [judgeFirst]));
  const { CommandJudge } = await import("../../tools/denylist/command_judge.ts");
  const judge = new CommandJudge({ denylist: DEFAULT_SETTINGS.denylist });
  const corpora = [
    ["posix", [...ALLOWED_POSIX, ...DENIED_POSIX.map(([command]) => command)]],
    ["powershell", [...ALLOWED_POWERSHELL, ...DENIED_POWERSHELL.map(([command]) => command)]],
  ] as const;
  for (const [language, commands] of corpora) {
    await judge.judgeShell({ command: "ls", language: "powershell" });
    const times: number[] = [];
    for (const command of commands) {
      times.push(await timeMs(() => judge.judgeShell({ command, language })));
    }
    rows.push(row(`a ${language} command`, times));
  }
  const { checkSyntax } = await import("../../tools/files/syntax_check.ts");
  for (const copies of [100, 1000]) {
    const before = CODE.repeat(copies);
    const after = before.replace("* 2", "* 3");
    const change = { path: "a.ts", before, after, edits: [], firstChange: 0 };
    const first = await timeMs(() => checkSyntax(change));
    if (copies === 100) rows.push(row("first checked edit", [first]));
    const times: number[] = [];
    for (let round = 0; round < 5; round++) times.push(await timeMs(() => checkSyntax(change)));
    rows.push(row(`an edit of ${copies * 3} lines`, times));
  }
  return rows;
}

if (import.meta.main) {
  const lines = (await benchSyntax()).map(({ name, medianMs, worstMs }) =>
    `${name.padEnd(28)}${medianMs.toFixed(2).padStart(10)} ms${
      worstMs.toFixed(2).padStart(10)
    } ms worst`
  );
  Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
}
