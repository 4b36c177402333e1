import assert from "node:assert/strict";
import { exportSession } from "../../sessions/export.ts";
import { MemoryStore } from "../../sessions/memory_store.ts";
import type { Session } from "../../sessions/session.ts";

async function talked(): Promise<Session> {
  const session = await new MemoryStore({ root: "/project" }).create();
  session.appendSystemMessage("system");
  session.appendUserMessage("look at it");
  session.appendAssistantMessage({
    content: "reading",
    toolCalls: [{ id: "c", name: "read_file", arguments: '{"path":"a"}' }, {
      id: "d",
      name: "run",
      arguments: "{broken",
    }],
  });
  session.appendToolResult({ toolCallId: "c", content: "```\ncode\n```\n", isError: false });
  session.appendToolResult({ toolCallId: "d", content: "no", isError: true });
  session.appendModelChange("other");
  session.appendCustomMessage("a.b.v1", "a note");
  session.appendAssistantMessage({ content: "half", partial: "cancelled" });
  session.setTitle("A talk");
  return session;
}

Deno.test("exportSession() writes the active branch as Markdown", async () => {
  const session = await talked();
  const text = exportSession(session, { format: "markdown" });
  const created = new Date(session.header.created_at_secs * 1000).toISOString();
  assert.equal(
    text,
    [
      "# A talk",
      `- session: ${session.id}\n- folder: /project\n- started: ${created}`,
      "<details><summary>System message</summary>\n\nsystem\n\n</details>",
      "## User\n\nlook at it",
      "## Assistant\n\nreading",
      '### Call: read_file\n\n```\n{\n  "path": "a"\n}\n```',
      "### Call: run\n\n```\n{broken\n```",
      "### Result\n\n````\n```\ncode\n```\n````",
      "### Error\n\n```\nno\n```",
      "_Model: other_",
      "## Note (a.b.v1)\n\na note",
      "## Assistant (cancelled)\n\nhalf",
    ].join("\n\n") + "\n",
  );
});

Deno.test("exportSession() writes all branches as JSON, redacted", async () => {
  const session = await talked();
  session.clear();
  session.fork("b");
  const redact = (text: string) => text.replaceAll("note", () => "[REDACTED]");
  const exported = JSON.parse(exportSession(session, { format: "json", redact }));
  assert.deepEqual(exported.header, session.header);
  assert.equal(exported.title, "A talk");
  assert.equal(exported.entries.length, session.entries.length);
  assert.deepEqual(exported.entries[1].payload, {
    Message: { role: "user", content: "look at it" },
  });
  assert.deepEqual(exported.cursors, session.cursors());
  assert.equal(JSON.stringify(exported).includes("a note"), false);
  assert.equal(exportSession(session, { format: "markdown", redact }).includes("a note"), false);
});
