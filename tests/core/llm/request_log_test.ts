import assert from "node:assert/strict";
import { openRequestLog } from "../../../core/llm/request_log.ts";
import { createLlmService } from "../../../core/llm/service.ts";
import { text, textTurn } from "../../support/chat_chunks.ts";
import { collect, TEST_LIMITS, testProvider, testRequest } from "../../support/llm_harness.ts";
import { startScriptedServer } from "../../support/scripted_server.ts";

async function withLog(
  run: (path: string) => Promise<void>,
): Promise<Record<string, unknown>[]> {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/requests.jsonl`;
    await run(path);
    const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("the request log holds requests and responses as sent, without secrets", async () => {
  const turn = textTurn("hello bob");
  await using server = await startScriptedServer([
    { status: 400, chunks: ["stream_options unknown"], headers: { "set-cookie": "s=1" } },
    turn,
    { chunks: [text("part")], end: "destroy" },
  ]);
  const entries = await withLog(async (path) => {
    const log = openRequestLog(path, { redact: (line) => line.replaceAll("bob", "[redacted]") });
    const provider = testProvider(server, {
      name: "logged",
      endpoint: `${server.endpoint}?key=q-secret`,
      apiKeyEnv: "K",
    });
    const service = createLlmService(provider, {
      limits: TEST_LIMITS,
      env: () => "sk-123456",
      requestLog: log,
    });
    const request = testRequest({ messages: [{ role: "user", content: "sk-123456 and bob" }] });
    const { signal } = new AbortController();
    await collect(service.stream(request, { signal }));
    await collect(service.stream(request, { signal }));
    log.close();
    if (Deno.build.os !== "windows") {
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    }
  });
  assert.deepEqual(entries.map(({ type, id, status }) => [type, id, status]), [
    ["request", 1, undefined],
    ["response", 1, 400],
    ["request", 2, undefined],
    ["response", 2, 200],
    ["request", 3, undefined],
    ["response", 3, 200],
  ]);
  const all = JSON.stringify(entries);
  for (const secret of ["sk-123456", "q-secret", "bob", "s=1"]) {
    assert.ok(!all.includes(secret), secret);
  }
  const [, refused, second, response, , broken] = entries;
  assert.equal(refused?.["body"], "stream_options unknown");
  assert.equal(
    JSON.parse(String(second?.["body"])).messages[0].content,
    "[redacted] and [redacted]",
  );
  assert.equal(
    response?.["body"],
    turn.chunks.join("").replace("bob", "[redacted]"),
    "the response is logged byte by byte",
  );
  assert.match(String(broken?.["error"]), /broke off/);
});

Deno.test("the request log appends, and closes what others may read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/log`;
    await Deno.writeTextFile(path, "{}\n", { mode: 0o644 });
    const log = openRequestLog(path);
    log.response({ id: log.nextId(), body: "x" });
    log.close();
    assert.equal((await Deno.readTextFile(path)).split("\n").length, 3);
    if (Deno.build.os !== "windows") {
      assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the request log tells why a request got no response", async () => {
  const entries = await withLog(async (path) => {
    const log = openRequestLog(path);
    const service = createLlmService(
      { name: "p", endpoint: "http://127.0.0.1:6000/v1", api: "chat_completions" },
      { limits: TEST_LIMITS, requestLog: log },
    );
    await collect(service.stream(testRequest(), { signal: new AbortController().signal }));
    log.close();
  });
  assert.match(String(entries[1]?.["error"]), /port 6000/);
});
