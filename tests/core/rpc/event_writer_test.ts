import assert from "node:assert/strict";
import type { AgentEvent } from "../../../core/agent/events.ts";
import { EventWriter } from "../../../core/rpc/event_writer.ts";
import { LineWriter } from "../../../core/rpc/line_writer.ts";

function notice(message: string): AgentEvent {
  return { type: "notice", params: { code: "x", level: "warn", message } };
}

Deno.test("EventWriter says ready first, then what has waited, then the rest in order", async () => {
  let written = "";
  const lines = new LineWriter({
    sink: {
      write: (bytes) => {
        written += new TextDecoder().decode(bytes);
        return Promise.resolve(bytes.length);
      },
    },
  });
  const events = new EventWriter(lines);
  events.send(notice("early"));
  await lines.flush();
  assert.equal(written, "");
  events.ready({ version: "1", protocol: 1, sessionId: "s", sessionPath: "" });
  events.send(notice("late"));
  await lines.flush();
  const messages = written.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(
    messages.map(({ method, params }) => params.message ?? method),
    ["ready", "early", "late"],
  );
});
