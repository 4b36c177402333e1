import assert from "node:assert/strict";
import { UsageError } from "../../../core/base/errors.ts";
import { parseSessionsArguments } from "../../../core/cli/sessions_arguments.ts";

Deno.test("parseSessionsArguments() understands every action", () => {
  const table: [string[], unknown][] = [
    [[], { action: { type: "list", all: false, json: false } }],
    [["--all", "--json"], { action: { type: "list", all: true, json: true } }],
    [["list", "--root", "/p"], { action: { type: "list", all: false, json: false }, root: "/p" }],
    [["show", "abc"], { action: { type: "show", session: "abc", json: false } }],
    [["export", "abc"], { action: { type: "export", session: "abc", format: "markdown" } }],
    [["export", "abc", "--format=json", "-o", "x"], {
      action: { type: "export", session: "abc", format: "json", output: "x" },
    }],
    [["delete", "abc", "--json"], { action: { type: "delete", session: "abc", json: true } }],
    [["prune", "--older-than", "90d", "--keep", "20"], {
      action: {
        type: "prune",
        all: false,
        json: false,
        yes: false,
        olderThanMs: 90 * 86_400_000,
        keep: 20,
      },
    }],
    [["prune", "--older-than=36h", "--yes"], {
      action: { type: "prune", all: false, json: false, yes: true, olderThanMs: 36 * 3_600_000 },
    }],
    [["prune", "--help"], { action: { type: "help" } }],
  ];
  for (const [args, expected] of table) {
    assert.deepEqual(parseSessionsArguments(args), expected, args.join(" "));
  }
});

Deno.test("parseSessionsArguments() refuses what it does not understand", () => {
  const table: [string[], RegExp][] = [
    [["lost"], /did you mean "rho sessions list"\?/],
    [["toString"], /it is one of list, show, export, delete, prune/],
    [["list", "x"], /takes no "x"/],
    [["list", "--yes"], /Unknown flag "--yes"/],
    [["show"], /needs the id or path of a session/],
    [["delete", "a", "b"], /takes one session, not also "b"/],
    [["export", "a", "--format", "html"], /must be markdown or json, not "html"/],
    [["prune"], /needs --older-than or --keep, or both/],
    [["prune", "--older-than", "90"], /an age such as 90d, 12w or 36h, not "90"/],
    [["prune", "--keep", "-1"], /--keep needs/],
    [["prune", "--keep", "1.5"], /a whole number from 0 to 999999, not "1\.5"/],
  ];
  for (const [args, message] of table) {
    assert.throws(
      () => parseSessionsArguments(args),
      (error) => error instanceof UsageError && message.test(error.message),
      args.join(" "),
    );
  }
});
