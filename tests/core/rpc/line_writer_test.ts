import assert from "node:assert/strict";
import { LineWriter } from "../../../core/rpc/line_writer.ts";

/** A sink that takes bytes only when told to. */
class SlowSink {
  readonly writes: string[] = [];
  maxBytes = Number.MAX_SAFE_INTEGER;
  failure: unknown;
  #gates: (() => void)[] = [];

  async write(bytes: Uint8Array): Promise<number> {
    await new Promise<void>((resolve) => this.#gates.push(resolve));
    if (this.failure !== undefined) throw this.failure;
    const taken = bytes.subarray(0, this.maxBytes);
    this.writes.push(new TextDecoder().decode(taken));
    return taken.length;
  }

  /** Lets writes through until nothing waits. */
  async open(): Promise<void> {
    for (let idle = 0; idle < 5; idle++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      const gates = this.#gates;
      this.#gates = [];
      if (gates.length > 0) idle = 0;
      for (const gate of gates) gate();
    }
  }

  get text(): string {
    return this.writes.join("");
  }
}

function delta(writer: LineWriter, text: string): void {
  writer.sendDelta("d", text, (all) => `<${all}>`);
}

Deno.test("LineWriter writes lines in order and joins what waits", async () => {
  const sink = new SlowSink();
  const writer = new LineWriter({ sink });
  for (const line of ["a", "b", "c"]) writer.send(line);
  await sink.open();
  assert.deepEqual(sink.writes, ["a\nb\nc\n"]);
  writer.send("d");
  const flushed = writer.flush();
  await sink.open();
  await flushed;
  assert.equal(sink.text, "a\nb\nc\nd\n");
});

Deno.test("LineWriter B142 goes on after short writes", async () => {
  const sink = new SlowSink();
  sink.maxBytes = 3;
  const writer = new LineWriter({ sink });
  writer.send("äöü 漢字 and more");
  writer.send("second");
  await sink.open();
  await writer.flush();
  const decoder = new TextDecoder("utf-8", { fatal: false });
  assert.ok(sink.writes.length > 5);
  assert.equal(decoder.decode(new TextEncoder().encode(sink.text)).includes("second\n"), true);
});

Deno.test("LineWriter merges deltas that wait behind each other, and nothing else", async () => {
  const sink = new SlowSink();
  const writer = new LineWriter({ sink });
  writer.send("first");
  await new Promise((resolve) => setTimeout(resolve, 0));
  delta(writer, "a");
  delta(writer, "b");
  writer.send("event");
  delta(writer, "c");
  delta(writer, "d");
  await sink.open();
  assert.equal(sink.text, "first\n<ab>\nevent\n<cd>\n");
});

Deno.test("LineWriter B148 tells producers to wait while too much is queued", async () => {
  const sink = new SlowSink();
  const writer = new LineWriter({ sink, highWaterUnits: 10 });
  writer.send("x".repeat(20));
  assert.equal(writer.isFull, true);
  let isDrained = false;
  const drained = writer.drained().then(() => isDrained = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(isDrained, false);
  await sink.open();
  await drained;
  assert.equal(writer.isFull, false);
});

Deno.test("LineWriter B143 drops everything once the other side is gone, and says so once", async () => {
  const sink = new SlowSink();
  const closed: unknown[] = [];
  const writer = new LineWriter({
    sink,
    highWaterUnits: 1,
    onClosed: (error) => closed.push(error),
  });
  sink.failure = new TypeError("gone");
  writer.send("a");
  const waiting = writer.drained();
  await sink.open();
  await waiting;
  writer.send("b");
  await writer.flush();
  assert.equal(closed.length, 1);
  assert.equal(sink.text, "");
});
