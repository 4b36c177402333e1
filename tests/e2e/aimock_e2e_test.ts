import assert from "node:assert/strict";
import { startAimock } from "../support/aimock_server.ts";
import { SpawnedRho } from "../support/spawned_rho.ts";

Deno.test("e2e: a turn against a model server that somebody else wrote", async () => {
  await using server = await startAimock((mock) => {
    mock.onToolResult("call_1", { content: "It says hello." });
    mock.onMessage("what does it say", {
      content: "I will look.",
      toolCalls: [{ id: "call_1", name: "read_file", arguments: '{"path":"a.txt"}' }],
    });
  });
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", `${server.url}/v1/chat/completions`, "--model", "m", "--ephemeral"],
  });
  await rho.write("a.txt", "hello\n");
  const result = await rho.client.request("prompt", { message: "what does it say" });
  assert.ok("reply" in result);
  assert.equal(result.reply, "It says hello.");
  assert.equal(result.iterations, 2);
  assert.match(rho.of("tool/result")[0]?.output ?? "", /hello/);
  assert.equal((await rho.end()).code, 0);
});
