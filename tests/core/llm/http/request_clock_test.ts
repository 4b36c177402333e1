import assert from "node:assert/strict";
import { RequestClock, type RequestClockOptions } from "../../../../core/llm/http/request_clock.ts";
import { tcpProbe } from "../../../../core/llm/http/tcp_probe.ts";
import type { ProviderError } from "../../../../core/llm/provider_error.ts";

const OFF = {
  connectTimeoutMs: 0,
  firstTokenTimeoutMs: 0,
  streamIdleTimeoutMs: 0,
  requestTimeoutMs: 0,
};

function newClock(changes: Partial<RequestClockOptions>): RequestClock {
  return new RequestClock({
    limits: OFF,
    context: {
      provider: { name: "p", endpoint: "http://127.0.0.1:1/v1", api: "chat_completions" },
      model: "m",
      scrub: (text) => text,
    },
    signal: new AbortController().signal,
    probe: () => Promise.resolve(true),
    ...changes,
  });
}

function aborted(clock: RequestClock): Promise<unknown> {
  return new Promise((resolve) =>
    clock.signal.addEventListener("abort", () => resolve(clock.signal.reason), { once: true })
  );
}

Deno.test("RequestClock gives up on a host that takes no connection", async () => {
  const clock = newClock({
    limits: { ...OFF, connectTimeoutMs: 5 },
    probe: () => Promise.resolve(false),
  });
  const error = await aborted(clock) as ProviderError;
  assert.deepEqual([error.code, error.retriable], ["connect_timeout", true]);
  assert.match(error.message, /takes no connection.*"connect_timeout_secs"/);
  clock.dispose();
});

Deno.test("RequestClock ends its probe when the head comes, and asks once only", async () => {
  let probes = 0;
  const probed = Promise.withResolvers<AbortSignal>();
  const clock = newClock({
    limits: { ...OFF, connectTimeoutMs: 5 },
    probe: (signal) => {
      probes += 1;
      probed.resolve(signal);
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve(false), { once: true })
      );
    },
  });
  const signal = await probed.promise;
  clock.headArrived();
  assert.ok(signal.aborted);
  await Promise.resolve();
  assert.ok(!clock.signal.aborted);
  assert.equal(probes, 1);
  clock.dispose();
});

Deno.test("RequestClock passes on the caller's reason, also one given before", async () => {
  const reason = { mine: true };
  const before = newClock({ signal: AbortSignal.abort(reason) });
  assert.equal(before.signal.reason, reason);
  before.dispose();
  const controller = new AbortController();
  const clock = newClock({ signal: controller.signal });
  const ended = aborted(clock);
  controller.abort(reason);
  assert.equal(await ended, reason);
  clock.dispose();
});

Deno.test("RequestClock after dispose() is never aborted", () => {
  const controller = new AbortController();
  const clock = newClock({
    signal: controller.signal,
    limits: { ...OFF, firstTokenTimeoutMs: 1 },
  });
  clock.dispose();
  controller.abort();
  assert.ok(!clock.signal.aborted);
});

Deno.test("RequestClock hands an error of onWaiting to the caller", async () => {
  const mine = new TypeError("mine");
  const clock = newClock({
    waitingIntervalMs: 5,
    onWaiting: () => {
      throw mine;
    },
  });
  assert.equal(await aborted(clock), mine);
  clock.dispose();
});

Deno.test("tcpProbe() tells a host that listens from one that does not", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const endpoint = `http://127.0.0.1:${listener.addr.port}/v1`;
  const { signal } = new AbortController();
  assert.equal(await tcpProbe(endpoint, signal), true);
  (await listener.accept()).close();
  listener.close();
  assert.equal(await tcpProbe(endpoint, signal), false);
  assert.equal(await tcpProbe(endpoint, AbortSignal.abort()), false);
});
