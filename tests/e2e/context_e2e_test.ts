import assert from "node:assert/strict";
import { joinPath } from "../../core/base/paths.ts";
import { finish, text, textTurn, toolTurn, usage } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { SpawnedRho, tempFolder } from "../support/spawned_rho.ts";

const EPHEMERAL = ["--model", "m", "--ephemeral"];

/** A home folder with a configuration file; it goes away with what holds it. */
async function homeWith(config: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await tempFolder("home");
  await Deno.writeTextFile(joinPath(path, "config.toml"), config);
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

function bodyOf(request: { readonly body: string } | undefined): string {
  return request?.body ?? "";
}

Deno.test("e2e: one turn of 60 calls with 40 reads runs to its end in a 16k window (B71)", async () => {
  await using server = await startScriptedServer((_request, index) => {
    if (index >= 60) return textTurn("All read");
    const call = index % 3 === 2
      ? { name: "list_dir", arguments: { path: ".", depth: (index % 9) + 1 } }
      : { name: "read_file", arguments: { path: `f${index}.txt` } };
    return toolTurn([{ id: `c${index}`, ...call }]);
  });
  await using home = await homeWith("[agent]\nmax_iterations = 100\n");
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, ...EPHEMERAL, "--token-budget", "16384"],
    home: home.path,
  });
  for (let i = 0; i < 60; i++) {
    const rows = Array.from({ length: 60 }, (_, row) => `file ${i} row ${row}: some words of text`);
    await Deno.writeTextFile(joinPath(rho.project, `f${i}.txt`), `${rows.join("\n")}\n`);
  }
  const result = await rho.client.request("prompt", { message: "read all the files" });
  assert.ok("finishReason" in result);
  assert.equal(result.finishReason, "stop");
  assert.equal(result.iterations, 61);
  server.requests.forEach((request, index) => {
    assert.ok(request.body.length / 3 < 16_384);
    assert.ok(request.body.includes("read all the files"));
    const newest = request.json.messages.at(-1);
    if (index > 0 && index % 3 !== 0) {
      assert.ok(newest.content.includes("row 59"), "the newest result is whole");
    }
  });
});

Deno.test("e2e: compact, getSessionStats and their notifications", async () => {
  await using server = await startScriptedServer((_request, index) =>
    textTurn(`answer ${index} ${"word ".repeat(200)}`)
  );
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  assert.deepEqual(
    (await rho.client.request("compact", {})).compactedEntries,
    0,
    "nothing to compact yet",
  );
  for (let i = 0; i < 8; i++) await rho.client.request("prompt", { message: `request ${i}` });
  const before = await rho.client.request("getSessionStats", {});
  assert.equal(before.contextWindow, 32_768);
  assert.equal(before.completionReserve, 8192);
  assert.equal(before.promptBudget, 24_576);
  assert.equal(before.messageCount, 17);
  assert.equal(before.apiUsage.requestCount, 8);
  assert.equal(before.apiUsage.totalInputTokens, 80);
  assert.ok(before.toolSchemaTokens > 100 && before.systemTokens > 100);
  assert.match(
    before.statusBar,
    /^\[█+░+\] \S+k\/32k tokens \(\d+%\) │ \S+k remaining │ 17 messages$/,
  );
  const result = await rho.client.request("compact", { focus: "the answers" });
  assert.ok(result.compactedEntries >= 6);
  assert.ok(result.tokensAfter < result.tokensBefore);
  const after = await rho.client.request("getSessionStats", {});
  assert.equal(after.compactedEntryCount, result.compactedEntries);
  assert.ok(after.estimatedUsed < before.estimatedUsed);
  const seen = rho.notifications.filter(({ method }) => method === "compaction");
  assert.deepEqual(seen.map(({ params }) => params), [{ mode: "mechanical", ...result }]);
  await rho.client.request("prompt", { message: "the last request" });
  const sent = bodyOf(server.requests.at(-1));
  for (const part of ["request 0", "Focus: the answers", "answer 7", "the last request"]) {
    assert.ok(sent.includes(part), part);
  }
  assert.ok(!sent.includes(`answer 1 ${"word ".repeat(60)}`));
  const last = rho.notifications.findLast(({ method }) => method === "usage");
  assert.ok(last?.method === "usage");
  assert.ok(last.params.context.estimatedUsed > 0);
  assert.equal(last.params.context.contextWindow, 32_768);
});

Deno.test("e2e: compacted history stays in the file and can be branched to", async () => {
  await using server = await startScriptedServer((_request, index) =>
    textTurn(`answer ${index} ${"word ".repeat(200)}`)
  );
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, "--model", "m"],
  });
  for (let i = 0; i < 8; i++) await rho.client.request("prompt", { message: `request ${i}` });
  const { leaf } = await rho.client.request("getState", {});
  await rho.client.request("compact", {});
  await rho.client.request("branchTo", { entryId: leaf });
  await rho.client.request("prompt", { message: "from before" });
  const sent = bodyOf(server.requests.at(-1));
  assert.ok(sent.includes(`answer 1 ${"word ".repeat(60)}`) && !sent.includes("compacted:"));
});

Deno.test("e2e: a refused prompt is compacted and sent once more", async () => {
  await using server = await startScriptedServer((_request, index) =>
    index === 6
      ? {
        status: 400,
        chunks: ['{"error":{"code":"context_length_exceeded","message":"maximum context length"}}'],
      }
      : textTurn(`answer ${index} ${"word ".repeat(400)}`)
  );
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  for (let i = 0; i < 6; i++) await rho.client.request("prompt", { message: `request ${i}` });
  const result = await rho.client.request("prompt", { message: "the refused one" });
  assert.ok("finishReason" in result && result.finishReason === "stop");
  const [refused, sent] = server.requests.slice(-2);
  assert.ok(bodyOf(sent).length < bodyOf(refused).length);
  assert.ok(bodyOf(sent).includes("the refused one"));
  const codes = rho.notifications.flatMap((one) =>
    one.method === "notice" ? [one.params.code] : []
  );
  assert.ok(codes.includes("context_refused"));
});

Deno.test("e2e: a window too small to work in is refused with numbers and advice", async () => {
  await using server = await startScriptedServer([textTurn("never")]);
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, ...EPHEMERAL, "--token-budget", "2048"],
  });
  await assert.rejects(rho.client.request("prompt", { message: "hi" }), (error) => {
    assert.ok(error instanceof Error);
    assert.match(error.message, /window of 2048 tokens.*--compact.*--token-budget \d+/);
    return true;
  });
  assert.equal(server.requests.length, 0);
});

Deno.test("e2e: a reply cut at the output limit is continued once and comes as one", async () => {
  await using server = await startScriptedServer([
    { chunks: [text("The first half, "), finish("length"), usage(10, 5), "data: [DONE]\n\n"] },
    textTurn("the second half."),
  ]);
  await using rho = await SpawnedRho.start({ args: ["--endpoint", server.endpoint, ...EPHEMERAL] });
  const result = await rho.client.request("prompt", { message: "write" });
  assert.ok("reply" in result);
  assert.equal(result.reply, "The first half, the second half.");
  assert.equal(result.finishReason, "stop");
  assert.equal(server.requests[1]?.json.messages.at(-1).role, "user");
});

Deno.test("e2e: [limits] end a turn as budget", async () => {
  await using server = await startScriptedServer((_request, index) =>
    toolTurn([{ id: `c${index}`, name: "list_dir", arguments: { depth: index + 1 } }])
  );
  await using home = await homeWith("[limits]\nmax_total_tokens = 400\n");
  await using rho = await SpawnedRho.start({
    args: ["--endpoint", server.endpoint, ...EPHEMERAL],
    home: home.path,
  });
  const result = await rho.client.request("prompt", { message: "go" });
  assert.ok("finishReason" in result);
  assert.deepEqual([result.finishReason, result.iterations], ["budget", 0]);
  assert.equal(server.requests.length, 0, "not even the prompt has room");
});
