import assert from "node:assert/strict";
import { ModelSwitch, ModelUnknownError } from "../../../core/agent/model_switch.ts";
import { ConsentError } from "../../../core/config/model_choice.ts";
import type { Provider } from "../../../core/config/provider.ts";
import { calls, says, ScriptedModel } from "../../support/scripted_model.ts";
import { startScriptedServer } from "../../support/scripted_server.ts";
import { startTestAgent, testTool } from "../../support/test_agent.ts";

function provider(name: string, endpoint: string, more: Partial<Provider> = {}): Provider {
  return { name, endpoint, api: "chat_completions", ...more };
}

function switchTo(providers: readonly Provider[], more: { preferred?: Provider } = {}) {
  return new ModelSwitch({
    providers,
    mayUse: ({ name }) => name !== "cloud",
    makeService: () => new ScriptedModel([]),
    home: undefined,
    timeoutMs: 500,
    ...more,
  });
}

Deno.test("ModelSwitch.find() prefers the preferred, the default's, the current, the first", async () => {
  await using server = await startScriptedServer([], {
    side: () => ({ chunks: ['{"data":[{"id":"m"},{"id":"a:b"}]}'] }),
  });
  const a = provider("a", server.endpoint);
  const b = provider("b", server.endpoint);
  const c = provider("c", server.endpoint, { defaultModel: "m" });
  const find = async (models: ModelSwitch, text: string, current = "x") => {
    const { provider, id } = await models.find(text, { current });
    return `${provider} ${id}`;
  };
  assert.equal(await find(switchTo([a, b, c], { preferred: b }), "m"), "b m");
  assert.equal(await find(switchTo([a, b, c]), "m", "b"), "c m");
  assert.equal(await find(switchTo([a, b]), "m", "b"), "b m");
  assert.equal(await find(switchTo([a, b]), "m"), "a m");
  const asked = server.sideRequests.length;
  assert.equal(await find(switchTo([a, b]), "b:never heard of"), "b never heard of");
  assert.equal(server.sideRequests.length, asked, "nobody is asked");
});

Deno.test("ModelSwitch.find() refuses what nobody has, and whom nobody agreed to", async () => {
  await using server = await startScriptedServer([], {
    side: () => ({ chunks: ['{"data":[]}'] }),
  });
  const models = switchTo([
    provider("a", server.endpoint),
    provider("cloud", "https://rho.invalid/v1/chat/completions", { defaultModel: "big" }),
  ]);
  await assert.rejects(
    models.find("m", { current: "a" }),
    (error) => {
      assert.ok(error instanceof ModelUnknownError);
      assert.match(error.message, /"a" lists no model; "cloud" gave no list \(it is external/);
      return true;
    },
  );
  await assert.rejects(models.find("cloud:m", { current: "a" }), ConsentError);
  await assert.rejects(models.find("big", { current: "a" }), ConsentError);
});

Deno.test("ModelSwitch.find() stops when it is told to", async () => {
  await using server = await startScriptedServer([], {
    side: () => ({ chunks: [], headDelayMs: 30_000 }),
  });
  const stop = new AbortController();
  const finding = switchTo([provider("a", server.endpoint)])
    .find("m", { current: "a", signal: stop.signal });
  stop.abort("enough");
  assert.equal(await finding.then(() => "", (reason) => reason), "enough");
});

Deno.test("ModelSwitch.ask() tells a server that has no list from one that is not there", async () => {
  await using server = await startScriptedServer([], {
    side: () => ({ status: 404, chunks: ["{}"] }),
  });
  const odd = `${server.url}/v1/generate`;
  const answers = await switchTo([
    provider("no list", server.endpoint),
    provider("no url", odd),
    provider("nobody", "http://127.0.0.1:1/v1/chat/completions"),
    provider("nobody and no url", "http://127.0.0.1:1/v1/generate"),
  ]).ask();
  assert.deepEqual(answers.map(({ isReachable }) => isReachable), [true, true, false, false]);
  assert.ok(answers.every(({ error }) => error !== undefined));
});

Deno.test("Agent.setModel() counts from the next iteration of a running turn", async () => {
  const next = new ScriptedModel([says("from the other")]);
  const other = { id: "n", provider: "else", service: next };
  await using test = await startTestAgent([calls({ name: "a", arguments: {} })], {
    tools: [testTool({
      name: "a",
      run: async () => {
        await test.agent.setModel(other);
        await test.agent.setReasoningEffort("low");
        return { output: "ran", isError: false };
      },
    })],
  });
  const result = await test.agent.run("go");
  assert.equal(result.reply, "from the other");
  assert.equal(test.model.requests.length, 1);
  assert.deepEqual([next.requests[0]?.model, next.requests[0]?.reasoningEffort], ["n", "low"]);
  assert.equal(next.requests[0]?.messages.at(-1)?.role, "tool");
  assert.equal(test.agent.model, other);
  const { entries } = await test.agent.session();
  const changes = entries.flatMap(({ payload }) =>
    payload.type === "ModelChange" ? [payload.model] : []
  );
  assert.deepEqual(changes, ["n"]);
});

Deno.test("Agent.setModel() notes no change to the model in use", async () => {
  await using test = await startTestAgent([says("hi")]);
  await test.agent.setModel("m");
  await test.agent.setReasoningEffort(null);
  assert.equal((await test.agent.session()).entries.length, 1);
  await test.agent.setModel("other");
  await test.agent.run("go");
  assert.equal(test.model.requests[0]?.model, "other", "without a switch the id goes as it is");
});
