import assert from "node:assert/strict";
import { chooseShell, ShellNotFoundError } from "../../../tools/shell/shell_choice.ts";

function choose(program: string, present: string[], os: typeof Deno.build.os = "linux") {
  const env = { PATH: os === "windows" ? "C:\\Bin" : "/opt/bin:/usr/bin" };
  return chooseShell({ program, passEnv: [] }, {
    env,
    os,
    isExecutable: (path) => present.includes(path.replaceAll("/", os === "windows" ? "\\" : "/")),
  });
}

Deno.test("chooseShell() takes pwsh, then bash, then sh", () => {
  assert.equal(choose("auto", ["/usr/bin/sh", "/usr/bin/bash", "/opt/bin/pwsh"]).name, "pwsh");
  assert.equal(choose("auto", ["/usr/bin/sh", "/usr/bin/bash"]).path, "/usr/bin/bash");
  assert.equal(choose("auto", ["/usr/bin/sh"]).path, "/usr/bin/sh");
});

Deno.test("chooseShell() takes pwsh, then powershell on Windows", () => {
  const bash = "C:\\Bin\\bash.EXE";
  assert.equal(choose("auto", [bash, "C:\\Bin\\powershell.EXE"], "windows").name, "powershell");
  assert.throws(() => choose("auto", [bash], "windows"), ShellNotFoundError);
});

Deno.test("chooseShell() takes the configured program, by name or path", () => {
  assert.equal(choose("zsh", ["/opt/bin/zsh", "/usr/bin/bash"]).path, "/opt/bin/zsh");
  assert.equal(choose("/nix/store/x/bin/bash", ["/nix/store/x/bin/bash"]).name, "bash");
});

Deno.test("chooseShell() says what it looked for when there is no shell (B157)", () => {
  assert.throws(() => choose("auto", []), (error) => {
    assert(error instanceof ShellNotFoundError);
    assert.equal(error.code, "shell_not_found");
    assert.match(error.message, /"pwsh", "bash", "sh"/);
    return true;
  });
  assert.throws(() => choose("fish", ["/usr/bin/bash"]), /"fish"/);
});

Deno.test("chooseShell() looks once for one settings record", () => {
  const settings = { program: "auto", passEnv: [] };
  let looks = 0;
  const options = { env: { PATH: "/bin" }, isExecutable: () => ++looks > 0 };
  const first = chooseShell(settings, options);
  assert.equal(chooseShell(settings, options), first);
  assert.equal(looks, 1);
});

Deno.test("chooseShell() skips relative folders of PATH", () => {
  const options = { env: { PATH: ".::bin:./x" }, isExecutable: () => true, os: "linux" as const };
  assert.throws(() => chooseShell({ program: "sh", passEnv: [] }, options), ShellNotFoundError);
});

Deno.test("each shell runs one command without profile, never as a login shell", () => {
  const table: Record<string, string[]> = {
    bash: ["--noprofile", "--norc", "-c", "--", "x"],
    sh: ["-c", "--", "x"],
    zsh: ["-f", "-c", "x"],
    fish: ["--no-config", "-c", "x"],
  };
  for (const [name, wanted] of Object.entries(table)) {
    assert.deepEqual(choose(name, [`/usr/bin/${name}`]).args("x"), wanted);
  }
});

Deno.test("PowerShell is told to speak UTF-8 and to keep the exit code (B107)", () => {
  const shell = choose("auto", ["C:\\Bin\\pwsh.EXE"], "windows");
  assert.equal(shell.language, "powershell");
  const args = shell.args("Get-Item ü # comment");
  assert.deepEqual(args.slice(0, 4), ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command"]);
  assert.match(args[4] ?? "", /OutputEncoding = \[System\.Text\.UTF8Encoding\]::new\(\$false\)/);
  assert.match(args[4] ?? "", /\nGet-Item ü # comment\nif \(\$\?\) \{ exit 0 \}/);
});
