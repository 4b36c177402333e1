import assert from "node:assert/strict";
import { textTurn } from "../support/chat_chunks.ts";
import { providerToml, startConfiguredRho } from "../support/configured_rho.ts";
import {
  argumentsDone,
  callAdded,
  completed,
  event,
  itemDone,
  responsesTextTurn,
  responsesUsage,
} from "../support/responses_events.ts";
import {
  type RecordedRequest,
  type ScriptedTurn,
  startScriptedServer,
} from "../support/scripted_server.ts";

const CIPHERTEXT = "gAAAAAB+sk-proj-" + "Zm9v/".repeat(20) + "==";
const REASONING_ITEM = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "I look first." }],
  encrypted_content: CIPHERTEXT,
};

function reasoningThenCall(): ScriptedTurn {
  const args = JSON.stringify({ path: "." });
  const call = { type: "function_call", id: "fc_1", call_id: "call_1|fc_1", name: "list_dir" };
  return {
    chunks: [
      event("response.reasoning_summary_text.delta", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "I look first.",
      }),
      itemDone(REASONING_ITEM, 0),
      callAdded({ callId: "call_1|fc_1", name: "list_dir" }, 1),
      argumentsDone(args, 1),
      itemDone({ ...call, arguments: args }, 1),
      completed({ usage: responsesUsage(100, 20) }),
    ],
  };
}

function inputTypes(request: RecordedRequest | undefined): string[] {
  return request?.json.input.map(({ type, role }: { type: string; role?: string }) => role ?? type);
}

Deno.test("e2e: a turn through Responses carries encrypted reasoning back unchanged", async () => {
  await using server = await startScriptedServer([
    reasoningThenCall(),
    responsesTextTurn("Nothing there"),
    responsesTextTurn("Still nothing"),
    responsesTextTurn("From another model"),
  ]);
  await using chat = await startScriptedServer([textTurn("Through chat")]);
  await using started = await startConfiguredRho({
    config: '[agent]\nreasoning_effort = "low"\n' +
      providerToml("box", server.responsesEndpoint, 'api = "responses"\ndefault_model = "m"') +
      providerToml("chat", chat.endpoint),
  });
  const { rho } = started;
  const result = await rho.client.request("prompt", { message: "what is there?" });
  assert.ok("reply" in result && result.reply === "Nothing there");
  assert.deepEqual(rho.of("reasoning/delta").map(({ delta }) => delta), ["I look first."]);
  const [first, second] = server.requests;
  assert.equal(first?.path, "/v1/responses");
  assert.deepEqual(first?.json.reasoning, { effort: "low", summary: "auto" });
  assert.deepEqual(first?.json.include, ["reasoning.encrypted_content"]);
  assert.equal(first?.json.store, false);
  assert.equal("previous_response_id" in (first?.json ?? {}), false);
  assert.deepEqual(inputTypes(second), [
    "user",
    "reasoning",
    "function_call",
    "function_call_output",
  ]);
  const [, item, call, output] = second?.json.input ?? [];
  assert.deepEqual(item, REASONING_ITEM, "ciphertext passes the redactor untouched");
  assert.equal(call.call_id, output.call_id);
  assert.match(call.call_id, /^[A-Za-z0-9_-]{1,40}$/);
  const prefix = first?.body.slice(0, -2) ?? "";
  assert.ok(second?.body.startsWith(prefix), "each request begins with the bytes of the last");

  await rho.client.request("setModel", { model: "box:other" });
  await rho.client.request("prompt", { message: "B62: and now?" });
  const third = server.requests[2];
  assert.equal(third?.json.model, "other");
  assert.ok(!third?.body.includes(CIPHERTEXT), "another model's reasoning is left out");
  assert.deepEqual(inputTypes(third), [
    "user",
    "function_call",
    "function_call_output",
    "assistant",
    "user",
  ]);

  await rho.client.request("setModel", { model: "chat:x" });
  await rho.client.request("prompt", { message: "through chat" });
  const roles = chat.requests[0]?.json.messages.map(({ role }: { role: string }) => role);
  assert.deepEqual(roles, [
    "system",
    "user",
    "assistant",
    "tool",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  const ids = chat.requests[0]?.json.messages.flatMap((message: {
    tool_calls?: { id: string }[];
    tool_call_id?: string;
  }) => message.tool_calls?.map(({ id }) => id) ?? message.tool_call_id ?? []);
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0], /^[A-Za-z0-9_-]{1,40}$/);
});

Deno.test("e2e: encrypted reasoning goes back in later turns, to the same model only", async () => {
  await using server = await startScriptedServer([
    reasoningThenCall(),
    responsesTextTurn("one"),
    responsesTextTurn("two"),
    responsesTextTurn("three"),
  ]);
  await using started = await startConfiguredRho({
    config: providerToml(
      "box",
      server.responsesEndpoint,
      'api = "responses"\ndefault_model = "m"',
    ),
  });
  const { rho } = started;
  await rho.client.request("prompt", { message: "first" });
  await rho.client.request("prompt", { message: "second" });
  const [, second, third] = server.requests;
  assert.deepEqual(third?.json.input[1], REASONING_ITEM);
  const prefix = second?.body.slice(0, -2) ?? "";
  assert.ok(third?.body.startsWith(prefix), "a later turn begins with the bytes of the last");
  await rho.client.request("setModel", { model: "box:other" });
  await rho.client.request("prompt", { message: "third" });
  assert.ok(!server.requests[3]?.body.includes(CIPHERTEXT));
});

Deno.test("e2e: encrypted reasoning survives a resume in the middle of a turn", async () => {
  await using server = await startScriptedServer([
    reasoningThenCall(),
    { status: 401, chunks: ["{}"] },
    responsesTextTurn("Going on"),
  ]);
  await using started = await startConfiguredRho({
    config: providerToml("box", server.responsesEndpoint, 'api = "responses"\ndefault_model = "m"'),
  });
  const { rho, home } = started;
  await assert.rejects(rho.client.request("prompt", { message: "look" }));
  await rho.end();
  const file = [...Deno.readDirSync(`${home}/sessions`)].flatMap(({ name }) =>
    [...Deno.readDirSync(`${home}/sessions/${name}`)].map((found) =>
      `${home}/sessions/${name}/${found.name}`
    )
  ).find((path) => path.endsWith(".jsonl"));
  assert.ok((await Deno.readTextFile(file ?? "")).includes(CIPHERTEXT));
  await using again = await startConfiguredRho({
    config: "",
    project: rho.project,
    env: { RHO_HOME: home },
    args: ["-c"],
  });
  const result = await again.rho.client.request("prompt", { message: "go on" });
  assert.ok("reply" in result && result.reply === "Going on");
});
