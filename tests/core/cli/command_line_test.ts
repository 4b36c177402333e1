import assert from "node:assert/strict";
import { UsageError } from "../../../core/base/errors.ts";
import { parseCommandLine } from "../../../core/cli/command_line.ts";
import { FLAGS } from "../../../core/cli/flags.ts";
import { helpPage } from "../../../core/cli/help.ts";

const DEFAULTS = {
  acceptExternal: false,
  compact: false,
  continueLatest: false,
  ephemeral: false,
  approve: "ask",
};

function options(...args: string[]): unknown {
  const command = parseCommandLine(args);
  assert.equal(command.type, "rpc");
  return command.type === "rpc" ? command.options : undefined;
}

Deno.test("parseCommandLine() reads values in every spelling", () => {
  const wanted = { ...DEFAULTS, model: "a:b/c" };
  assert.deepEqual(options("--model", "a:b/c"), wanted);
  assert.deepEqual(options("--model=a:b/c"), wanted);
  assert.deepEqual(options("-m", "a:b/c"), wanted);
  assert.deepEqual(options("-ma:b/c"), wanted);
  assert.deepEqual(options("-m=a:b/c"), wanted);
});

Deno.test("parseCommandLine() reads every flag", () => {
  assert.deepEqual(
    options(
      ...["--model", "m", "--endpoint", "http://x/v1/chat/completions", "--api-key-env", "K"],
      ...["-s", "be brief", "--compact", "--root", "/tmp", "--token-budget", "8192"],
      ...["--max-iterations", "3", "--session", "ab", "--approve", "write"],
      ...["--log-level", "debug", "--accept-external-provider"],
    ),
    {
      model: "m",
      endpoint: "http://x/v1/chat/completions",
      apiKeyEnv: "K",
      acceptExternal: true,
      system: "be brief",
      compact: true,
      root: "/tmp",
      tokenBudget: 8192,
      maxIterations: 3,
      continueLatest: false,
      session: "ab",
      ephemeral: false,
      approve: "write",
      logLevel: "debug",
    },
  );
});

Deno.test("parseCommandLine() says in one line what is wrong", () => {
  const table: readonly (readonly [string[], RegExp])[] = [
    [["--modle", "x"], /^Unknown flag "--modle"; did you mean --model\?$/],
    [["--frobnicate"], /^Unknown flag "--frobnicate"$/],
    [["-x"], /^Unknown flag "-x"/],
    [["--model"], /^The flag --model needs <id>$/],
    [["--model", " "], /must not be empty/],
    [["--compact=yes"], /^The flag --compact takes no value$/],
    [["-m", "a", "--model", "b"], /given twice/],
    [["--token-budget", "0"], /a whole number from 1024 to/],
    [["--token-budget", "12.5"], /not "12.5"$/],
    [["--max-iterations", "-1"], /a whole number from 1 to/],
    [["--approve", "maybe"], /one of ask, write, all, not "maybe"$/],
    [["--log-level", "loud"], /one of error, warn, info, debug/],
    [["--endpoint", "localhost:1234"], /needs a URL such as http/],
    [["-c", "--ephemeral"], /^The flags --continue and --ephemeral exclude each other$/],
    [["-c", "--session", "x"], /exclude each other/],
    [["-s", "x", "--system-file", "y"], /exclude each other/],
    [["demmo"], /^Unknown command "demmo"; did you mean "rho demo"\?$/],
    [["whatever"], /^Unknown command "whatever"$/],
    [["demo", "x"], /takes no "x"/],
    [["demo", "--raw"], /^Unknown flag "--raw"/],
  ];
  for (const [args, message] of table) {
    assert.throws(() => parseCommandLine(args), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
  }
});

Deno.test("parseCommandLine() knows the commands that are no server", () => {
  assert.deepEqual(parseCommandLine(["--help"]), { type: "help" });
  assert.deepEqual(parseCommandLine(["-h"]), { type: "help" });
  assert.deepEqual(parseCommandLine(["--version"]), { type: "version" });
  assert.deepEqual(parseCommandLine(["demo"]), { type: "demo", raw: false });
  assert.deepEqual(parseCommandLine(["demo", "--rpc"]), { type: "demo", raw: true });
});

Deno.test("helpPage() names every flag", () => {
  for (const flag of FLAGS) assert.ok(helpPage().includes(`--${flag.name}`), flag.name);
});
