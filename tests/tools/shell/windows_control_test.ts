import assert from "node:assert/strict";
import { taskkillArguments, windowsControl } from "../../../tools/shell/windows_control.ts";

Deno.test("taskkillArguments() ends the whole tree by force", () => {
  assert.deepEqual(taskkillArguments(42), ["/PID", "42", "/T", "/F"]);
});

Deno.test("windowsControl() starts commands without a wrapper and ends trees", async () => {
  const calls: string[][] = [];
  const control = windowsControl((args) => {
    calls.push(args);
    return Promise.resolve();
  });
  const launch = { program: "C:\\x.exe", args: ["a"] };
  assert.equal(control.wrap(launch, { mergeStreams: true }), launch);
  await control.terminate(7);
  await control.kill(7);
  assert.deepEqual(calls, [["/PID", "7", "/T", "/F"], ["/PID", "7", "/T", "/F"]]);
  assert.deepEqual(await control.members(7), []);
});
