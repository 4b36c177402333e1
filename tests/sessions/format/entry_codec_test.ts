import assert from "node:assert/strict";
import fc from "fast-check";
import type { Entry, EntryPayload } from "../../../sessions/entry.ts";
import { decodeLine, encodeRecord } from "../../../sessions/format/entry_codec.ts";
import type { WritableRecord } from "../../../sessions/log_sink.ts";

const TIMESTAMP = { secs_since_epoch: 1777859536, nanos_since_epoch: 120000000 };

function entry(payload: EntryPayload): Entry {
  return { id: "e1", parentId: "p1", timestamp: TIMESTAMP, payload };
}

function encode(record: WritableRecord): string {
  return encodeRecord(record, (text) => text);
}

/** A payload in memory beside its shape in the file. */
const PAYLOADS: readonly (readonly [EntryPayload, unknown])[] = [
  [
    { type: "Message", message: { role: "system", content: "s" } },
    { Message: { role: "system", content: "s" } },
  ],
  [
    { type: "Message", message: { role: "user", content: "u" } },
    { Message: { role: "user", content: "u" } },
  ],
  [
    { type: "Message", message: { role: "assistant", content: "a", finish_reason: "stop" } },
    { Message: { role: "assistant", content: "a", finish_reason: "stop" } },
  ],
  [
    { type: "Message", message: { role: "assistant", content: "a", finish_reason: "eos" } },
    { Message: { role: "assistant", content: "a", finish_reason: { other: "eos" } } },
  ],
  [
    { type: "Message", message: { role: "tool", tool_call_id: "c", content: "t", is_error: true } },
    { Message: { role: "tool", tool_call_id: "c", content: "t", is_error: true } },
  ],
  [
    {
      type: "Compaction",
      compaction: { summary: { notes: "n" }, first_kept: "e0", tokens_before: 7 },
    },
    { Compaction: { summary: { notes: "n" }, first_kept: "e0", tokens_before: 7 } },
  ],
  [
    { type: "BranchSummary", summary: "s", from_id: "e0" },
    { BranchSummary: { summary: "s", from_id: "e0" } },
  ],
  [
    { type: "CustomMessage", kind: "a.b.v1", content: "m" },
    { CustomMessage: { kind: "a.b.v1", content: [{ Text: { text: "m" } }] } },
  ],
  [
    { type: "Custom", kind: "a.b.v1", data: { n: [1, null] } },
    { Custom: { kind: "a.b.v1", data: { n: [1, null] } } },
  ],
  [{ type: "ModelChange", model: "m" }, { ModelChange: { model: "m" } }],
  [
    { type: "Label", target_id: "e0", label: null },
    { Label: { target_id: "e0", label: null } },
  ],
  [{ type: "SessionInfo", name: "t" }, { SessionInfo: { name: "t" } }],
  [{ type: "LeafMoved", from: "a", to: "b" }, { LeafMoved: { from: "a", to: "b" } }],
  [{ type: "SessionEnded", reason: "r" }, { SessionEnded: { reason: "r" } }],
];

Deno.test("encodeRecord() writes each payload in the shape of the Rust rho, and it reads back", () => {
  for (const [payload, wire] of PAYLOADS) {
    const line = encode({ type: "Entry", entry: entry(payload) });
    assert.deepEqual(JSON.parse(line), {
      type: "Entry",
      id: "e1",
      parent_id: "p1",
      timestamp: TIMESTAMP,
      payload: wire,
    });
    assert.ok(line.startsWith('{"type":"Entry"'));
    assert.deepEqual(decodeLine(line), { type: "Entry", entry: entry(payload) });
  }
});

Deno.test("encodeRecord() writes the other lines in the shape of the Rust rho", () => {
  const cases: readonly (readonly [WritableRecord, string])[] = [
    [
      {
        type: "Header",
        header: {
          id: "4b021d5d",
          version: 1,
          created_at_secs: 1777859536,
          cwd: "/p",
          parent_session: null,
        },
      },
      '{"type":"Header","id":"4b021d5d","version":1,"created_at_secs":1777859536,"cwd":"/p","parent_session":null}',
    ],
    [
      { type: "Cursor", cursor: { id: "c0", leaf: "e1", name: null } },
      '{"type":"Cursor","id":"c0","leaf":"e1","name":null}',
    ],
    [
      { type: "Resolution", cursor: "c0", entry: "e1", resolution: { level: "Pinned" } },
      '{"type":"Resolution","cursor":"c0","entry":"e1","resolution":"Pinned"}',
    ],
    [
      {
        type: "Resolution",
        cursor: "c0",
        entry: "e1",
        resolution: { level: "Compacted", into: "k" },
      },
      '{"type":"Resolution","cursor":"c0","entry":"e1","resolution":{"Compacted":{"into":"k"}}}',
    ],
    [
      {
        type: "Resolution",
        cursor: "c0",
        entry: "e1",
        resolution: { level: "Outlined", outline: "o" },
      },
      '{"type":"Resolution","cursor":"c0","entry":"e1","resolution":{"Outlined":{"outline":"o"}}}',
    ],
    [
      {
        type: "Resolution",
        cursor: "c0",
        entry: "e1",
        resolution: { level: "Summarized", summary: "s" },
      },
      '{"type":"Resolution","cursor":"c0","entry":"e1","resolution":{"Summarized":{"summary":"s"}}}',
    ],
  ];
  for (const [record, line] of cases) {
    assert.equal(encode(record), line);
    assert.deepEqual(decodeLine(line), record);
  }
});

Deno.test("decodeLine() refuses what is no record", () => {
  for (
    const line of [
      "",
      "{",
      "12",
      "null",
      "[]",
      "{}",
      '{"type":1}',
      '{"type":"Entry"}',
      '{"type":"Entry","id":"","payload":{}}',
      '{"type":"Entry","id":"x"}',
      '{"type":"Resolution","cursor":"c0"}',
      '{"type":"Cursor","leaf":"x"}',
    ]
  ) {
    assert.equal(decodeLine(line), undefined, line);
  }
});

Deno.test("decodeLine() keeps what it does not know (B59)", () => {
  assert.deepEqual(decodeLine('{"type":"__proto__"}'), { type: "Unknown", name: "__proto__" });
  const stamp = '{"type":"Resolution","cursor":"c0","entry":"e","resolution":{"Blurred":{}}}';
  assert.deepEqual(decodeLine(stamp), { type: "Unknown", name: "Resolution" });
  const payloads = ['"Tick"', '{"constructor":{"x":1}}', '{"__proto__":{"kind":"k"}}', "5", "[]"];
  for (const payload of payloads) {
    const line = `{"type":"Entry","id":"e","parent_id":null,"payload":${payload}}`;
    const record = decodeLine(line);
    assert.ok(record?.type === "Entry" && record.entry.payload.type === "Unknown");
    assert.deepEqual(JSON.parse(encode(record)).payload, JSON.parse(payload));
  }
});

Deno.test("decodeLine() joins parts of content and names what is no text (B56)", () => {
  const line = (content: unknown) =>
    JSON.stringify({ type: "Entry", id: "e", payload: { Message: { role: "user", content } } });
  const contentOf = (content: unknown) => {
    const record = decodeLine(line(content));
    assert.ok(record?.type === "Entry" && record.entry.payload.type === "Message");
    return record.entry.payload.message.content;
  };
  assert.equal(contentOf([{ type: "text", text: "a" }, { Text: { text: "b" } }, "c"]), "abc");
  assert.equal(
    contentOf([{ type: "image_url", image_url: { url: "data:" } }]),
    "[image_url left out]",
  );
  assert.equal(contentOf([{ Image: { data: "x" } }, 5]), "[Image left out]");
  assert.equal(contentOf(null), "");
});

Deno.test("decodeLine() survives any JSON in any place", () => {
  const spoiled = fc.tuple(fc.constantFrom(...PAYLOADS), fc.jsonValue(), fc.nat(20));
  fc.assert(
    fc.property(spoiled, ([[, wire], junk, at]) => {
      const value = JSON.parse(JSON.stringify({ type: "Entry", id: "e", payload: wire }));
      const places: [Record<string, unknown>, string][] = [];
      const walk = (node: Record<string, unknown>) => {
        for (const key of Object.keys(node)) {
          places.push([node, key]);
          const inner = node[key];
          if (typeof inner === "object" && inner !== null) walk(inner as Record<string, unknown>);
        }
      };
      walk(value);
      const place = places[at % places.length];
      if (place !== undefined) place[0][place[1]] = junk;
      const record = decodeLine(JSON.stringify(value));
      if (record === undefined || record.type === "Unknown") return;
      const again = decodeLine(encode(record));
      assert.deepEqual(again, record);
    }),
    { numRuns: 500 },
  );
});
