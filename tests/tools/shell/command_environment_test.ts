import assert from "node:assert/strict";
import { commandEnvironment } from "../../../tools/shell/command_environment.ts";

Deno.test("commandEnvironment() removes secrets unless they are passed on", () => {
  const env = { PATH: "/bin", OPENAI_API_KEY: "k", GITHUB_TOKEN: "t", DB_PASSWORD: "p" };
  const result = commandEnvironment({ env, passEnv: ["GITHUB_TOKEN"], os: "linux" });
  assert.equal(result.PATH, "/bin");
  assert.equal(result.GITHUB_TOKEN, "t");
  assert.equal("OPENAI_API_KEY" in result, false);
  assert.equal("DB_PASSWORD" in result, false);
});

Deno.test("commandEnvironment() makes editors, pagers and prompts harmless (B103)", () => {
  const env = { EDITOR: "vim", TERM: "xterm", FORCE_COLOR: "1", BASH_ENV: "/x", ENV: "/y" };
  assert.deepEqual(commandEnvironment({ env, passEnv: [], os: "linux" }), {
    EDITOR: "false",
    VISUAL: "false",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
    GIT_PAGER: "cat",
    MANPAGER: "cat",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    NO_COLOR: "1",
    TERM: "dumb",
  });
});

Deno.test("commandEnvironment() compares names without case on Windows only", () => {
  const options = { env: { My_Token: "t", Editor: "notepad" }, passEnv: ["MY_TOKEN"] };
  const windows = commandEnvironment({ ...options, os: "windows" });
  assert.equal(windows.My_Token, "t");
  assert.equal("Editor" in windows, false);
  const linux = commandEnvironment({ ...options, os: "linux" });
  assert.equal("My_Token" in linux, false);
  assert.equal(linux.Editor, "notepad");
});
