import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import { CommandGuard } from "../../../tools/shell/command_guard.ts";

const BASH = { program: "/bin/bash", passEnv: [] };

Deno.test("CommandGuard judges lines for the shell of the settings, and programs", async () => {
  const guard = new CommandGuard({ shell: BASH, approvedCommands: ["git status"] });
  assert.equal((await guard.judgeShell({ command: "curl x" })).type, "refused");
  assert.equal((await guard.judgeShell({ command: "sh", stdin: "curl x" })).type, "refused");
  assert.equal((await guard.judgeShell({ command: "$X y" })).type, "ask");
  assert.deepEqual(await guard.judgeShell({ command: "git status" }), {
    type: "allowed",
    isApproved: true,
  });
  assert.equal((await guard.judgeProgram("wget", ["x"])).type, "refused");
});

Deno.test("CommandGuard reads commands in the grammar of their shell", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const program = `${folder}/pwsh`;
    await Deno.writeTextFile(program, "#!/bin/sh\n", { mode: 0o755 });
    const guard = new CommandGuard({ shell: { program, passEnv: [] } });
    assert.equal((await guard.judgeShell({ command: "& $x" })).type, "ask");
    assert.equal((await guard.judgeShell({ command: "cu`rl x" })).type, "refused");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("CommandGuard leaves it to the call to say that there is no shell", async () => {
  const guard = new CommandGuard({ shell: { program: "no-such-shell", passEnv: [] } });
  assert.deepEqual(await guard.judgeShell({ command: "curl x" }), { type: "allowed" });
});

Deno.test("CommandGuard takes rules from the settings and names the rule", async () => {
  const denylist = { ...DEFAULT_SETTINGS.denylist, deniedCommands: ["git push"] };
  const guard = new CommandGuard({ shell: BASH, denylist });
  assert.deepEqual(await guard.judgeShell({ command: "git -C . push" }), {
    type: "refused",
    rule: "git push",
    reason: 'the command denylist refuses "git -C . push" (rule "git push")',
  });
});
