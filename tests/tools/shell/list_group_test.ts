import assert from "node:assert/strict";
import { parsePs, parseStat } from "../../../tools/shell/list_group.ts";

Deno.test("parseStat() reads group and session behind any process name", () => {
  const wanted = { pid: 12, group: 10, session: 9 };
  assert.deepEqual(parseStat("12 (sh) S 1 10 9 0 -1 4194560"), wanted);
  assert.deepEqual(parseStat("12 (a) R 7 (b) S 1 10 9 0 -1"), wanted);
  assert.equal(parseStat("12 (sh) Z 1 10 9 0"), undefined);
  assert.equal(parseStat(""), undefined);
});

Deno.test("parsePs() reads pid, group and command, without the dead", () => {
  const output = "    1     1 Ss   /sbin/init\n   12    10 S+   sh -c  x\n   13    10 Z    sh\n\n";
  assert.deepEqual(parsePs(output), [
    { pid: 1, group: 1, session: 0, commandLine: "/sbin/init" },
    { pid: 12, group: 10, session: 0, commandLine: "sh -c x" },
  ]);
});
