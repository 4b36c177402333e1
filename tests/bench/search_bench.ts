import { SILENT_LOGGER } from "../../core/base/log.ts";
import { SandboxRoot } from "../../core/security/sandbox.ts";
import { FileTracker } from "../../sessions/file_tracker.ts";
import { LIST_DIR } from "../../tools/files/list_dir.ts";
import { FIND_FILES } from "../../tools/search/find_files.ts";
import { createSearchFiles } from "../../tools/search/search_files.ts";
import { CommandRegistry } from "../../tools/shell/command_registry.ts";
import { findProgram } from "../../tools/shell/find_program.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { type BenchRow, benchTable, growthExponent, median } from "./bench_report.ts";

const FILES = 20_000;
const FILES_A_FOLDER = 20;
const ROUNDS = 7;
const MAX_RATIO = 3;
const LITERAL = "needleInHaystack";
const REGEX = "[a-z]+[A-Z]\\w+\\(\\d+\\)";
const WORDS = ("alpha beta gamma delta import function return const export class interface value " +
  "result error option string number").split(" ");

/** Measures searching, finding and listing against `rg` in the same rounds, at n and 10 n files. */
export async function benchSearch(): Promise<BenchRow[]> {
  const rg = findProgram("rg", { env: Deno.env.toObject() });
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rho-search-bench-" }));
  try {
    const small = await contextOf(makeTree(`${folder}/small`, FILES / 10));
    const large = await contextOf(makeTree(`${folder}/large`, FILES));
    const rows: BenchRow[] = [];
    for (const { name, work, rgArgs } of pieces()) {
      const times = { small: [] as number[], large: [] as number[], rg: [] as number[] };
      await work(large);
      for (let round = 0; round < ROUNDS; round++) {
        times.small.push(await elapsedMs(() => work(small)));
        times.large.push(await elapsedMs(() => work(large)));
        if (rg !== undefined) times.rg.push(await elapsedMs(() => run(rg, rgArgs, large)));
      }
      const value = median(times.large);
      const baseline = { name: `rg ${rgArgs[0] ?? ""}`, value: median(times.rg) };
      rows.push({
        name: `${name}, ${FILES} files`,
        value,
        unit: "ms",
        exponent: growthExponent(median(times.small), value),
        ...(rg === undefined ? {} : { baseline, budget: MAX_RATIO, budgetOf: "ratio" as const }),
      });
    }
    return rows;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

interface Piece {
  readonly name: string;
  readonly work: (context: ToolContext) => Promise<unknown>;
  readonly rgArgs: readonly string[];
}

function pieces(): Piece[] {
  const own = createSearchFiles({ commands: new CommandRegistry(), env: () => ({ PATH: "" }) });
  const withRg = createSearchFiles({ commands: new CommandRegistry() });
  const searches = [["literal", LITERAL], ["regex", REGEX]] as const;
  return [
    ...searches.flatMap(([kind, pattern]): Piece[] => [
      {
        name: `search ${kind}, own walker`,
        work: (context) => own.execute({ pattern }, context),
        rgArgs: ["--line-number", "--hidden", pattern],
      },
      {
        name: `search ${kind}, with rg`,
        work: (context) => withRg.execute({ pattern }, context),
        rgArgs: ["--line-number", "--hidden", pattern],
      },
    ]),
    {
      name: "find by name",
      work: (context) => FIND_FILES.execute({ pattern: "*7.ts" }, context),
      rgArgs: ["--files", "--hidden", "--glob", "*7.ts"],
    },
    {
      name: "find all, newest first",
      work: (context) => FIND_FILES.execute({ pattern: "*" }, context),
      rgArgs: ["--files", "--hidden", "--sortr", "modified"],
    },
    {
      name: "list 5000 entries",
      work: (context) => LIST_DIR.execute({ depth: 20, limit: 5000 }, context),
      rgArgs: ["--files", "--hidden"],
    },
  ];
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function run(rg: string, args: readonly string[], context: ToolContext): Promise<void> {
  await new Deno.Command(rg, { args: ["--no-config", ...args, "./"], cwd: context.sandbox.root })
    .output();
}

async function contextOf(root: string): Promise<ToolContext> {
  return {
    signal: new AbortController().signal,
    sandbox: await SandboxRoot.open(root),
    tracker: new FileTracker(),
    progress: () => {},
    logger: SILENT_LOGGER,
    callId: "bench",
    maxOutputBytes: 64 * 1024,
  };
}

/** Sources of 20 to 140 lines; every 400th holds what is searched for. */
function makeTree(root: string, files: number): string {
  let seed = 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let folder = 0; folder * FILES_A_FOLDER < files; folder++) {
    const path = `${root}/pkg${folder % 20}/mod${folder % 50}/part${folder}`;
    Deno.mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_A_FOLDER; file++) {
      const lines = Array.from(
        { length: 20 + random(120) },
        () => Array.from({ length: 6 }, () => WORDS[random(WORDS.length)]).join(" "),
      );
      if (random(400) === 0) lines.push(`${LITERAL}(42)`);
      Deno.writeTextFileSync(`${path}/file${file}.ts`, `${lines.join("\n")}\n`);
    }
  }
  Deno.mkdirSync(`${root}/.git`);
  Deno.writeTextFileSync(`${root}/.git/HEAD`, "ref: refs/heads/main\n");
  Deno.writeTextFileSync(`${root}/.gitignore`, "*.log\n/build/\n*.tmp\n!keep.tmp\n**/gen/*.ts\n");
  return root;
}

if (import.meta.main) {
  const table = benchTable(await benchSearch());
  Deno.stdout.writeSync(new TextEncoder().encode(`${table}\n`));
}
