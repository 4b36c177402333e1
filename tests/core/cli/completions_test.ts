import assert from "node:assert/strict";
import { UsageError } from "../../../core/base/errors.ts";
import { SUBCOMMANDS } from "../../../core/cli/command_line.ts";
import { COMPLETION_SHELLS, completionScript } from "../../../core/cli/completions.ts";
import { FLAGS } from "../../../core/cli/flags.ts";

for (const shell of COMPLETION_SHELLS) {
  Deno.test(`completionScript() knows every flag and command for ${shell}`, () => {
    const script = completionScript(shell, SUBCOMMANDS);
    for (const { name } of FLAGS) assert.ok(script.includes(name), name);
    for (const name of SUBCOMMANDS) assert.ok(script.includes(name), name);
  });
}

Deno.test("completionScript() refuses a shell that it does not know", () => {
  assert.throws(() => completionScript("tcsh", SUBCOMMANDS), UsageError);
});

Deno.test("completionScript() makes bash complete flags and commands", async () => {
  const script = `${completionScript("bash", SUBCOMMANDS)}
COMP_WORDS=(rho --mod); COMP_CWORD=1; _rho; echo "\${COMPREPLY[@]}"
COMP_WORDS=(rho de); COMP_CWORD=1; _rho; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await new Deno.Command("bash", { args: ["-c", script] }).output();
  assert.equal(new TextDecoder().decode(stdout), "--model\ndemo\n");
});
