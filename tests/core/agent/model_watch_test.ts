import assert from "node:assert/strict";
import type { AgentModel } from "../../../core/agent/agent_model.ts";
import { ContextMeter } from "../../../core/agent/context_meter.ts";
import { ModelWatch } from "../../../core/agent/model_watch.ts";
import type { AgentEventMap } from "../../../core/agent/events.ts";
import { DEFAULT_SETTINGS } from "../../../core/config/settings.ts";
import type { KnownFacts } from "../../../core/llm/known_facts.ts";
import type { ServerWindow } from "../../../core/llm/server_window.ts";
import { ScriptedModel } from "../../support/scripted_model.ts";

const SILENT = { estimatedTokens: 2000, reportedTokens: undefined };

function watched(tokenBudget = 32768) {
  const settings = { ...DEFAULT_SETTINGS.agent, tokenBudget };
  const meter = new ContextMeter(settings, "p:m");
  const notices: AgentEventMap["notice"][] = [];
  const watch = new ModelWatch({ meter, tokenBudget, onNotice: (notice) => notices.push(notice) });
  return { meter, watch, notices, codes: () => notices.map(({ code }) => code) };
}

function model(
  id: string,
  told: { facts?: Partial<KnownFacts>; window?: ServerWindow; onAsk?: () => void } = {},
): AgentModel {
  const { facts, window, onAsk } = told;
  return {
    id,
    provider: "p",
    service: new ScriptedModel([]),
    ...(facts === undefined
      ? {}
      : { facts: () => Promise.resolve({ isWindowTold: false, problems: [], ...facts }) }),
    ...(window === undefined ? {} : {
      askWindow: () => {
        onAsk?.();
        return Promise.resolve(window);
      },
    }),
  };
}

Deno.test("ModelWatch lowers the window to a smaller known one before the first request", async () => {
  const { meter, watch, notices } = watched();
  const small = model("m", { facts: { contextWindow: 8000, maxOutputTokens: 500 } });
  await watch.prepare(small);
  await watch.prepare(small);
  assert.equal(meter.contextWindow, 8000);
  assert.equal(watch.maxTokens, 500);
  assert.deepEqual(notices.map(({ code, level }) => [code, level]), [
    ["context_window_lowered", "warn"],
  ]);
  assert.match(notices[0]?.message ?? "", /^Model "p:m" has a window of 8000 tokens, less than/);
});

Deno.test("ModelWatch hints at a larger window and leaves the budget alone", async () => {
  const { meter, watch, notices } = watched();
  await watch.prepare(model("m", { facts: { contextWindow: 200_000 } }));
  assert.equal(meter.contextWindow, 32768);
  assert.equal(watch.maxTokens, 8192);
  assert.deepEqual(notices.map(({ code, level }) => [code, level]), [
    ["context_window_larger", "info"],
  ]);
  assert.match(notices[0]?.message ?? "", /200000 tokens.*32768.*token_budget/);
});

Deno.test("ModelWatch says nothing when the window is the budget", async () => {
  const { meter, watch, codes } = watched(4096);
  await watch.prepare(model("m", { facts: { contextWindow: 4096 } }));
  assert.equal(meter.contextWindow, 4096);
  assert.deepEqual(codes(), []);
});

Deno.test("ModelWatch asks a server once, after its first reply, and fits the next request", async () => {
  const { meter, watch, codes } = watched();
  let asked = 0;
  const local = model("m", { window: { kind: "ollama", tokens: 4096 }, onAsk: () => asked += 1 });
  await watch.prepare(local);
  assert.equal(asked, 0);
  for (let reply = 0; reply < 3; reply++) {
    watch.noteReply(local, SILENT);
    await watch.prepare(local);
  }
  assert.equal(asked, 1);
  assert.equal(meter.contextWindow, 4096);
  assert.deepEqual(codes(), ["context_window_lowered"]);
});

Deno.test("ModelWatch fits anew when the model changes, and remembers what servers told", async () => {
  const { meter, watch, codes } = watched();
  let asked = 0;
  const local = model("m", { window: { kind: "ollama", tokens: 4096 }, onAsk: () => asked += 1 });
  const other = model("n");
  await watch.prepare(local);
  watch.noteReply(local, SILENT);
  await watch.prepare(other);
  assert.equal(meter.contextWindow, 32768);
  await watch.prepare(local);
  assert.equal(meter.contextWindow, 4096);
  assert.equal(asked, 1);
  assert.deepEqual(codes(), ["context_window_lowered"]);
});

Deno.test("ModelWatch does not ask where the user says what the window is", async () => {
  const { meter, watch } = watched();
  let asked = 0;
  const told = model("m", {
    facts: { contextWindow: 16000, isWindowTold: true },
    window: { kind: "ollama", tokens: 2048 },
    onAsk: () => asked += 1,
  });
  await watch.prepare(told);
  watch.noteReply(told, SILENT);
  await watch.prepare(told);
  assert.deepEqual([asked, meter.contextWindow], [0, 16000]);
});

Deno.test("ModelWatch tells of a silent cut once, with the setting of that server", async () => {
  const { watch, notices } = watched();
  const local = model("m", { window: { kind: "llama_cpp" } });
  await watch.prepare(local);
  const table: readonly (readonly [number, number | undefined])[] = [
    [10_000, undefined],
    [10_000, 9000],
    [10_000, 500],
    [10_000, 4096],
    [20_000, 4096],
  ];
  for (const [estimatedTokens, reportedTokens] of table) {
    watch.noteReply(local, { estimatedTokens, reportedTokens });
    await watch.prepare(local);
  }
  assert.deepEqual(notices.map(({ code, level }) => [code, level]), [["prompt_cut", "warn"]]);
  assert.match(
    notices[0]?.message ?? "",
    /counted 4096 tokens .* about 10000: .*llama-server with -c/,
  );
});

Deno.test("ModelWatch tells problems of the user's file once for all models", async () => {
  const { watch, codes } = watched();
  await watch.prepare(model("m", { facts: { problems: ["bad"] } }));
  await watch.prepare(model("n", { facts: { problems: ["bad"] } }));
  assert.deepEqual(codes(), ["models_file"]);
});

Deno.test("ModelWatch.close() ends a question that is open, or not begun", async () => {
  const { watch, codes } = watched();
  const slow: AgentModel = {
    ...model("m"),
    askWindow: (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  await watch.prepare(slow);
  watch.noteReply(slow, { estimatedTokens: 10_000, reportedTokens: 2000 });
  await watch.close();
  assert.deepEqual(codes(), ["prompt_cut"], "what is known by then is still told");
});

Deno.test("ModelWatch.prepare() does not hold up a turn that is stopped", async () => {
  const { watch } = watched();
  const slow: AgentModel = {
    ...model("m"),
    askWindow: (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  };
  await watch.prepare(slow);
  watch.noteReply(slow, SILENT);
  await watch.prepare(slow, AbortSignal.abort("stop"));
  await watch.close();
});
