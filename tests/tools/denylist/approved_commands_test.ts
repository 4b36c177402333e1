import assert from "node:assert/strict";
import { judged } from "./_judging.ts";

const APPROVED = [
  "git status",
  "git log",
  "git *",
  "cargo test",
  "npm run build",
  "cd web && npm test",
];

Deno.test("[approval] commands run unasked, exactly these, in any row of them", async () => {
  const cases = [
    "git status",
    "  git   status ",
    "git 'status'",
    "git status && cargo test",
    "git status; git log | cargo test",
    "cargo test 2>&1",
    "cargo test >/dev/null 2>&1",
    "cd web && npm test",
    "git status # look",
  ];
  for (const command of cases) {
    assert.equal(await judged(command, { approvedCommands: APPROVED }), "approved", command);
  }
});

Deno.test("[approval] commands cover nothing that is more or other (B115, B116)", async () => {
  const cases = [
    "git status $(touch pwned)",
    "git status `touch pwned`",
    "git status <(touch pwned)",
    "git log > file",
    "git log >> file",
    "git log < file",
    "git status -s",
    "git stash",
    "git -C . status",
    "A=1 git status",
    "/usr/bin/git status",
    "./git status",
    "git status; touch pwned",
    "git status && touch pwned",
    "git status | sh -x",
    "git status & touch pwned",
    "git status\ntouch pwned",
    "git status $X",
    "git status *",
    "git {status,log}",
    "(git status)",
    "! git status",
    "if git status; then cargo test; fi",
    "git() { touch pwned; }; git status",
    "sudo git status",
    "sh -c 'git status'",
    "git status <<< x",
    "git status 'unfinished",
    "npm test",
    "",
  ];
  for (const command of cases) {
    const verdict = await judged(command, { approvedCommands: APPROVED });
    assert(verdict === "allowed" || verdict === "ask", `${command}: ${verdict}`);
  }
});

Deno.test("[approval] commands do not cover input of their own", async () => {
  const options = { approvedCommands: APPROVED, stdin: "x" };
  assert.equal(await judged("git status", options), "allowed");
});

Deno.test("[approval] commands never lift the denylist or a question", async () => {
  const approvedCommands = ["curl x", "$X y"];
  assert.equal(await judged("curl x", { approvedCommands }), "refused: curl");
  assert.equal(await judged("$X y", { approvedCommands }), "ask");
});

Deno.test("[approval] commands hold for PowerShell", async () => {
  const options = { approvedCommands: APPROVED, language: "powershell" } as const;
  for (
    const command of [
      "git status",
      "git status; cargo test",
      "git 'status'",
      "git status && git log",
    ]
  ) {
    assert.equal(await judged(command, options), "approved", command);
  }
  for (
    const command of [
      "git status $(x)",
      "git log > file",
      "git status; x",
      "& git status",
      "git $x",
    ]
  ) {
    assert.equal(await judged(command, options), "allowed", command);
  }
});
