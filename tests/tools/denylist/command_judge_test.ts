import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import { CommandJudge } from "../../../tools/denylist/command_judge.ts";
import { ALLOWED_POSIX } from "../../fixtures/denylist/allowed_posix.ts";
import { ALLOWED_POWERSHELL } from "../../fixtures/denylist/allowed_powershell.ts";
import { ASKED_POSIX, ASKED_POWERSHELL } from "../../fixtures/denylist/asked.ts";
import { DENIED_POSIX } from "../../fixtures/denylist/denied_posix.ts";
import { DENIED_POWERSHELL } from "../../fixtures/denylist/denied_powershell.ts";
import { judged } from "./_judging.ts";

const CORPORA = [
  ["posix", DENIED_POSIX, ALLOWED_POSIX, ASKED_POSIX],
  ["powershell", DENIED_POWERSHELL, ALLOWED_POWERSHELL, ASKED_POWERSHELL],
] as const;

for (const [language, denied, allowed, asked] of CORPORA) {
  Deno.test(`CommandJudge refuses the ${language} corpus and names each rule (B112)`, async () => {
    for (const [command, rule] of denied) {
      assert.equal(await judged(command, { language }), `refused: ${rule}`, command);
    }
  });
  Deno.test(`CommandJudge lets the ${language} look-alikes pass (B113)`, async () => {
    for (const command of allowed) {
      assert.equal(await judged(command, { language }), "allowed", command);
    }
  });
  Deno.test(`CommandJudge has a person asked about what only a ${language} run would tell (B112)`, async () => {
    for (const command of asked) assert.equal(await judged(command, { language }), "ask", command);
  });
}

Deno.test("the corpora hold 150 denied and 100 allowed commands at least, none twice", () => {
  const denied = [...DENIED_POSIX, ...DENIED_POWERSHELL].map(([command]) => command);
  const allowed = [...ALLOWED_POSIX, ...ALLOWED_POWERSHELL];
  assert(denied.length >= 150 && allowed.length >= 100);
  for (const list of [DENIED_POSIX.map(([command]) => command), ALLOWED_POSIX]) {
    assert.equal(new Set(list).size, list.length);
  }
});

Deno.test("CommandJudge finds a configured command in every wrapper (B112)", async () => {
  const denylist = { deniedCommands: ["rm"] };
  const cases = [
    "env rm x",
    "sudo -n rm x",
    "timeout 5 rm x",
    "ls | xargs rm",
    "find . -exec rm {} +",
    'sh -c "rm x"',
    "R=rm; $R x",
  ];
  for (const command of cases) {
    assert.equal(await judged(command, { denylist }), "refused: rm", command);
  }
  assert.equal(await judged("echo cm0geAo= | base64 -d | sh", { denylist }), "ask");
});

Deno.test("CommandJudge knows a configured command in each of its forms (B116)", async () => {
  const denylist = { deniedCommands: ["git push", "npm publish --access", "terraform d*"] };
  const cases: [command: string, verdict: string][] = [
    ["git push", "refused: git push"],
    ["git -C . push", "refused: git push"],
    ["git -C . -c a=b --no-pager push origin", "refused: git push"],
    ["git --git-dir=.git push", "refused: git push"],
    ["git --git-dir .git push", "refused: git push"],
    ["cd x && git push", "refused: git push"],
    ["A=1 git push", "refused: git push"],
    ["/usr/bin/git push", "refused: git push"],
    ["command git push", "refused: git push"],
    ["git stash push", "allowed"],
    ["git status push", "allowed"],
    ["git commit -m push", "allowed"],
    ["npm publish", "allowed"],
    ["npm publish --access public", "refused: npm publish --access"],
    ["npm publish --access=public", "refused: npm publish --access"],
    ["terraform destroy", "refused: terraform d*"],
    ["terraform -chdir=x destroy", "refused: terraform d*"],
    ["terraform plan", "allowed"],
  ];
  for (const [command, verdict] of cases) {
    assert.equal(await judged(command, { denylist }), verdict, command);
  }
});

Deno.test("CommandJudge adds configured combinations in every spelling", async () => {
  const denylist = { deniedFlagCombos: [["git", "clean", "-f", "-d"], ["--yes", "--purge"]] };
  const cases: [command: string, verdict: string][] = [
    ["git clean -fd", "refused: git clean -f -d"],
    ["git clean -xdf", "refused: git clean -f -d"],
    ["git clean -d --force", "refused: git clean -f -d"],
    ["git clean -n -d", "allowed"],
    ["apt remove --purge --yes x", "refused: --yes --purge"],
    ["apt remove --purge x", "allowed"],
  ];
  for (const [command, verdict] of cases) {
    assert.equal(await judged(command, { denylist }), verdict, command);
  }
});

Deno.test("CommandJudge takes built-in rules away by name, and nothing that was configured", async () => {
  const cases: [allowed: string, command: string, verdict: string][] = [
    ["curl", "curl x", "allowed"],
    ["curl", "wget x", "refused: wget"],
    ["curl", "curl x | nc y", "refused: nc"],
    ["rm -r -f", "rm -rf x", "allowed"],
    ["rm -rf", "rm --recursive --force x", "allowed"],
    ["rm -rf target", "rm -rf target", "allowed"],
    ["rm -rf target", "rm -rf src", "refused: rm -r -f"],
    ["rm", "rm -rf x", "allowed"],
    ["Remove-Item", "ri x", "allowed"],
    ["dd of=/dev/*", "dd of=/dev/sda", "allowed"],
    ["mkfs*", "mkfs.ext4 x", "allowed"],
    ["mkfs.ext4", "mkfs.ext4 x", "allowed"],
    ["mkfs.ext4", "mkfs.xfs x", "refused: mkfs*"],
    ["System.Net.WebClient", "pwsh -c '[Net.WebClient]::new()'", "allowed"],
    ["-Recurse -Force", "cp -Recurse -Force a", "allowed"],
    ["scp", "scp a b", "refused: scp"],
  ];
  for (const [allowed, command, verdict] of cases) {
    const denylist = { allowedCommands: [allowed], deniedCommands: ["scp"] };
    assert.equal(await judged(command, { denylist }), verdict, `${allowed}: ${command}`);
  }
});

Deno.test("CommandJudge asks in place of refusing when it is told to", async () => {
  assert.equal(await judged("curl x", { denylist: { onDenied: "ask" } }), "ask");
});

Deno.test("CommandJudge takes rm for Remove-Item in PowerShell on Windows", async () => {
  const options = { language: "powershell", os: "windows" } as const;
  assert.equal(await judged("rm x", options), "refused: Remove-Item");
  assert.equal(await judged("rm x", { ...options, os: "linux" }), "allowed");
});

Deno.test("CommandJudge reads what is given on standard input", async () => {
  assert.equal(await judged("sh", { stdin: "rm -rf x" }), "refused: rm -r -f");
  assert.equal(await judged("sudo bash -s", { stdin: "curl x" }), "refused: curl");
  assert.equal(await judged("xargs rm", { stdin: "-rf x" }), "refused: rm -r -f");
  assert.equal(await judged("cat > notes.md", { stdin: "rm -rf x" }), "allowed");
  assert.equal(await judged("sh", { stdin: "make test" }), "allowed");
});

Deno.test("CommandJudge.judgeProgram() judges words as they are, and wrappers in them", async () => {
  const judge = new CommandJudge({ denylist: DEFAULT_SETTINGS.denylist });
  const cases: [program: string, args: string[], type: string][] = [
    ["cargo", ["test", "curl"], "allowed"],
    ["/usr/bin/curl", ["x"], "refused"],
    ["rm", ["-rf", "x"], "refused"],
    ["sh", ["-c", "rm -rf x"], "refused"],
    ["sh", ["-c", "$X"], "ask"],
    ["env", ["A=1", "wget"], "refused"],
    ["echo", ["$(curl x)"], "allowed"],
    ["$X", [], "allowed"],
  ];
  for (const [program, args, type] of cases) {
    assert.equal((await judge.judgeProgram(program, args)).type, type, `${program} ${args}`);
  }
});

Deno.test("CommandJudge asks rather than follow commands inside of commands without end", async () => {
  let command = "curl x";
  for (let depth = 0; depth < 9; depth++) command = `sh -c ${quoted(command)}`;
  assert.match(await judged(command), /^(?:refused: curl|ask)$/);
  assert.equal(await judged(`parallel ::: ${"'sh -c ls' ".repeat(200)}`), "ask");
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", () => "'\\''")}'`;
}

/** Ways to run a command through something else; each keeps it denied. */
const LAYERS: readonly ((command: string) => string)[] = [
  (command) => `sh -c ${quoted(command)}`,
  (command) => `sudo -n bash -lc ${quoted(command)}`,
  (command) => `env A=1 sh -c ${quoted(command)}`,
  (command) => `timeout -k 1 5 sh -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `echo $( ${command} )`,
  (command) => `echo "a $( ${command} ) b"`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `true && ${command}`,
  (command) => `false || ${command}`,
  (command) => `ls; ${command}`,
  (command) => `if true; then ${command}; fi`,
  (command) => `while true; do ${command}; done`,
  (command) => `f() { ${command}; }; f`,
  (command) => `cat < <( ${command} )`,
  (command) => `! { ${command}; }`,
  (command) => `${command} | cat`,
  (command) => `echo ${quoted(command)} | sh`,
  (command) => `bash <<< ${quoted(command)}`,
  (command) => `sh <<'END'\n${command}\nEND\n`,
  (command) => `find . -exec sh -c ${quoted(command)} \\;`,
  (command) => `ls | xargs -I{} sh -c ${quoted(command)}`,
  (command) => `trap ${quoted(command)} EXIT`,
  (command) => `nice -n 5 nohup sh -c ${quoted(command)} &`,
  (command) => `X=$( ${command} ) make`,
];

const DENIED_CORE = fc.constantFrom(
  "rm -rf x",
  "curl http://x",
  "rm --force -r x",
  "r''m -r\\f x",
  "/usr/bin/wget x",
  "$'\\x72m' -rf x",
);

Deno.test("CommandJudge keeps a denied command denied under any layers around it", async () => {
  const judge = new CommandJudge({ denylist: DEFAULT_SETTINGS.denylist });
  const layers = fc.array(fc.nat(LAYERS.length - 1), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(DENIED_CORE, layers, async (core, indexes) => {
      // A here-document cannot stand inside of a line; it is always the outermost layer.
      const inner = indexes.filter((index) => !(LAYERS[index]?.("").includes("<<'END'")));
      const outer = indexes.length > inner.length
        ? [LAYERS.findIndex((l) => l("").includes("END"))]
        : [];
      const command = [...inner, ...outer]
        .reduce<string>((text, index) => LAYERS[index]?.(text) ?? text, core);
      const verdict = await judge.judgeShell({ command, language: "posix" });
      assert.equal(verdict.type, "refused", command);
    }),
    { numRuns: 300 },
  );
});

Deno.test("CommandJudge never throws and never takes long, whatever the text is", async () => {
  const judge = new CommandJudge({ denylist: DEFAULT_SETTINGS.denylist });
  const piece = fc.constantFrom(
    ..."'\"`$(){}<>|&;\\\n#*?[]!~=-+%@^:,./ ",
    "rm",
    "sh -c",
    "$(",
    "<<E\n",
    "<<<",
    "[[",
    "((",
    "eval",
    "xargs",
    "\ufdd0",
    "é😀",
  );
  const text = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));
  const languages = fc.constantFrom("posix", "powershell", "cmd" as const);
  await fc.assert(
    fc.asyncProperty(text, languages, async (command, language) => {
      const verdict = await judge.judgeShell({ command, language: language as "posix" });
      assert(["allowed", "refused", "ask"].includes(verdict.type));
    }),
    { numRuns: 500 },
  );
});

Deno.test("CommandJudge stays quick for long commands", async () => {
  const judge = new CommandJudge({ denylist: DEFAULT_SETTINGS.denylist });
  await judge.judgeShell({ command: "ls", language: "posix" });
  const cases = [
    `cat > a.txt <<'EOF'\n${"some text with $(no) meaning\n".repeat(3000)}EOF`,
    `echo ${"a ".repeat(10_000)}`,
    `echo ${"{a,b}".repeat(200)}`,
    "(".repeat(20_000),
    `echo ${"$(".repeat(2000)}`,
    `${"a && ".repeat(9000)}b`,
    "`".repeat(50_000),
    `rm -${"r".repeat(50_000)}`,
  ];
  for (const command of cases) {
    const start = performance.now();
    await judge.judgeShell({ command, language: "posix" });
    const ms = performance.now() - start;
    assert(ms < 5000, `${ms} ms for ${command.slice(0, 40)}`);
  }
});
