import assert from "node:assert/strict";
import { killTrials } from "../support/session_kill.ts";
import { temporaryStore } from "./session_support.ts";

Deno.test("Session loses at most the entry in flight to kill -9, time after time (B46)", async () => {
  if (Deno.build.os === "windows") return;
  await using temporary = await temporaryStore();
  assert.deepEqual(await killTrials(temporary.home, 20), { trials: 20, failures: [] });
});
