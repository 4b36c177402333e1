import assert from "node:assert/strict";
import { UsageError } from "../../../core/base/errors.ts";
import { parseRunCommandLine } from "../../../core/cli/run_command_line.ts";

function parsed(...args: string[]) {
  const found = parseRunCommandLine(args);
  assert.notEqual(found, "help");
  if (found === "help") throw new TypeError("help");
  const { prompt, source, output } = found;
  return [prompt, source, output];
}

Deno.test("parseRunCommandLine() reads prompt, source and output", () => {
  const stdin = { type: "stdin" };
  assert.deepEqual(parsed("What", "now?"), ["What now?", undefined, "reply"]);
  assert.deepEqual(parsed("-"), [undefined, stdin, "reply"]);
  assert.deepEqual(parsed("--json", "-", "sum", "up"), ["sum up", stdin, "json"]);
  assert.deepEqual(parsed("-f", "a.txt", "--events"), [
    undefined,
    { type: "file", path: "a.txt" },
    "events",
  ]);
  assert.deepEqual(parsed("-f", "-", "x"), ["x", stdin, "reply"]);
  assert.deepEqual(parsed("--", "--json"), ["--json", undefined, "reply"]);
});

Deno.test("parseRunCommandLine() takes the flags of rho", () => {
  const found = parseRunCommandLine(["-m", "x", "--ephemeral", "--no-context-files", "hi"]);
  assert.notEqual(found, "help");
  if (found === "help") return;
  assert.deepEqual(
    [found.options.model, found.options.ephemeral, found.options.noContextFiles],
    ["x", true, true],
  );
  assert.equal(parseRunCommandLine(["hi", "--help"]), "help");
});

Deno.test("parseRunCommandLine() says in one line what is wrong", () => {
  const table: readonly (readonly [string[], RegExp])[] = [
    [[], /needs a prompt: its words, -f <path>, or - for stdin$/],
    [[" "], /needs a prompt/],
    [["-f", "a", "-"], /^The flag --file and - exclude each other$/],
    [["--json", "--events", "x"], /^The flags --json and --events exclude each other$/],
    [["-f"], /^The flag --file needs <path>$/],
    [["--version", "x"], /^Unknown flag "--version"/],
    [["-c", "--ephemeral", "x"], /exclude each other$/],
  ];
  for (const [args, message] of table) {
    assert.throws(() => parseRunCommandLine(args), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      return true;
    });
  }
});
