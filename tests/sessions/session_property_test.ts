import assert from "node:assert/strict";
import fc from "fast-check";
import type { Resolution } from "../../sessions/entry.ts";
import { buildView } from "../../sessions/context_view.ts";
import type { Session } from "../../sessions/session.ts";
import { openSessionFile } from "../../sessions/files/session_opener.ts";
import { fileOf, stateOf, temporaryStore } from "./session_support.ts";

type Step =
  | {
    readonly type: "user" | "assistant" | "result" | "custom" | "message" | "title";
    readonly text: string;
  }
  | { readonly type: "branch" | "summary" | "pin" | "unpin"; readonly at: number }
  | { readonly type: "fork"; readonly name: string | undefined }
  | { readonly type: "switch" | "name"; readonly at: number }
  | { readonly type: "stamp"; readonly at: number; readonly resolution: Resolution }
  | { readonly type: "endTurn" | "clear" | "reopen" | "kill" | "model" };

const TEXT = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: "binary", maxLength: 8 }));
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constantFrom("user", "assistant", "result", "custom", "message", "title"),
    text: TEXT,
  }),
  fc.record({ type: fc.constantFrom("branch", "summary", "pin", "unpin"), at: fc.nat(1000) }),
  fc.record({ type: fc.constant("fork"), name: fc.option(TEXT, { nil: undefined }) }),
  fc.record({ type: fc.constantFrom("switch", "name"), at: fc.nat(1000) }),
  fc.record({
    type: fc.constant("stamp"),
    at: fc.nat(1000),
    resolution: fc.oneof(
      fc.constantFrom<Resolution>({ level: "Full" }, { level: "Attached" }, {
        level: "Compacted",
        into: "x",
      }),
      TEXT.map((outline): Resolution => ({ level: "Outlined", outline: outline.toWellFormed() })),
      TEXT.map((summary): Resolution => ({ level: "Summarized", summary: summary.toWellFormed() })),
    ),
  }),
  fc.record({ type: fc.constantFrom("endTurn", "clear", "reopen", "kill", "model") }),
) as fc.Arbitrary<Step>;

async function apply(session: Session, step: Step): Promise<void> {
  const entryAt = (at: number) => session.entries[at % session.entries.length]?.id ?? "";
  const cursorAt = (at: number) => {
    const cursors = session.cursors();
    return cursors[at % cursors.length]?.id ?? "";
  };
  switch (step.type) {
    case "user":
      session.appendUserMessage(step.text);
      break;
    case "assistant":
      session.appendAssistantMessage({
        content: step.text,
        toolCalls: step.text.length % 2 === 0
          ? []
          : [{ id: "c", name: "run", arguments: step.text }],
        finishReason: step.text.length % 3 === 0 ? null : step.text,
        ...(step.text.length % 5 === 0 ? { reasoning: { text: step.text } } : {}),
      });
      break;
    case "result":
      session.appendToolResult({ toolCallId: "c", content: step.text, isError: false });
      break;
    case "custom":
      session.appendCustom("a.b.v1", {
        [step.text.toWellFormed()]: [step.text.toWellFormed(), 1, null],
      });
      break;
    case "message":
      session.appendCustomMessage("a.b.v1", step.text);
      break;
    case "title":
      session.setTitle(step.text);
      break;
    case "model":
      session.appendModelChange("m");
      break;
    case "branch":
      session.branchTo(entryAt(step.at));
      break;
    case "summary":
      session.branchWithSummary(entryAt(step.at), "summary");
      break;
    case "pin":
      session.pinEntry(entryAt(step.at));
      break;
    case "unpin":
      session.unpinEntry(entryAt(step.at));
      break;
    case "fork":
      session.fork(step.name);
      break;
    case "switch":
      session.switchCursor(cursorAt(step.at));
      break;
    case "name":
      session.nameCursor("name", cursorAt(step.at));
      break;
    case "stamp":
      session.setResolution(entryAt(step.at), step.resolution);
      break;
    case "endTurn":
      await session.endTurn();
      break;
    case "clear":
      session.clear();
      break;
    default:
      break;
  }
}

/** Without prototypes and shared structure, so that only the content is compared. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

Deno.test("Session is the same in memory and from disk, whatever was done to it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 25 }), async (steps) => {
      await using temporary = await temporaryStore({ fsync: "never" });
      let session = await temporary.store.create();
      session.appendSystemMessage("system");
      session.appendUserMessage("first");
      for (const step of steps) {
        await apply(session, step);
        if (step.type !== "reopen" && step.type !== "kill") continue;
        const state = plain(stateOf(session));
        // A killed rho writes nothing more; only its lock goes away.
        if (step.type === "kill") await session.log.close();
        else await session.close("done");
        const before = step.type === "kill" ? state : plain(stateOf(session));
        session = await temporary.another().open(session.id);
        assert.deepEqual(plain(stateOf(session)), before);
        assert.equal(session.recovered, undefined);
      }
      const view = buildView(session);
      await session.close("done");
      const opened = await temporary.another().open(session.id);
      assert.deepEqual(plain(stateOf(opened)), plain(stateOf(session)));
      assert.deepEqual(buildView(opened), view);
      await opened.close("done");
    }),
    { numRuns: 120 },
  );
});

Deno.test("Session opens and goes on after its file was cut at any byte", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 1, maxLength: 15 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (steps, where) => {
        await using temporary = await temporaryStore({ fsync: "never" });
        const made = await temporary.store.create();
        made.appendSystemMessage("system");
        made.appendUserMessage("first");
        for (const step of steps) await apply(made, step);
        await made.close("done");
        const path = fileOf(made);
        const bytes = await Deno.readFile(path);
        const headerEnd = bytes.indexOf(0x0a) + 1;
        const cut = headerEnd + Math.floor(where * (bytes.length - headerEnd));
        await Deno.writeFile(path, bytes.subarray(0, cut));
        const opened = await temporary.another().open(path);
        const known = opened.entries.length;
        opened.entries.forEach((entry, i) =>
          assert.deepEqual(plain(entry), plain(made.entries[i]))
        );
        const next = opened.appendUserMessage("next");
        await opened.close("done");
        const { content, recovered } = openSessionFile(path);
        assert.equal(recovered, undefined);
        assert.ok(content.entries.length > known);
        assert.ok(content.entries.some(({ id }) => id === next.id));
      },
    ),
    { numRuns: 80 },
  );
});
