import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { lineAnchor } from "../../../tools/files/anchors.ts";
import { EDIT_FILE, type EditFileArgs } from "../../../tools/files/edit_file.ts";
import { READ_FILE } from "../../../tools/files/read_file.ts";
import { encodeFile, type TextEncoding } from "../../../tools/files/text_file.ts";
import { withWorkspace, type Workspace } from "./_workspace.ts";

type Edits = EditFileArgs["edits"];
interface Row {
  readonly text: string;
  readonly ending: "\n" | "\r\n";
}

const ENCODINGS: readonly TextEncoding[] = [
  { name: "utf-8", bom: false },
  { name: "utf-8", bom: true },
  { name: "utf-16le", bom: true },
  { name: "utf-16be", bom: true },
];
const SPARE = fc.constantFrom(
  "",
  "}",
  "return x;",
  "äöü 😀",
  "10%\r50%",
  "$& $1",
  "mark\ufeff",
  "  \t",
);
const TEXT = fc.oneof(SPARE, fc.string({ unit: "grapheme", maxLength: 12 }))
  // An ending CR would join the line feed behind it; NUL makes a file binary.
  .map((text) => text.replace(/[\n\0]|\r$/g, () => "."));
const ROW: fc.Arbitrary<Row> = fc.record({ text: TEXT, ending: fc.constantFrom("\n", "\r\n") });
const FILE = fc.record({
  rows: fc.array(ROW, { minLength: 1, maxLength: 12 }),
  finalNewline: fc.boolean(),
  encoding: fc.constantFrom(...ENCODINGS),
}).filter(({ rows, finalNewline }) => finalNewline || rows.at(-1)?.text !== "");

function textOf(rows: readonly Row[], finalNewline: boolean): string {
  const whole = rows.map(({ text, ending }) => text + ending).join("");
  return finalNewline ? whole : whole.slice(0, whole.length - (rows.at(-1)?.ending.length ?? 0));
}

/** What each line becomes, in a plan that cannot overlap. */
const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ type: "keep" } as const) },
  fc.record({
    type: fc.constant("replace" as const),
    lines: fc.array(TEXT, { minLength: 1, maxLength: 3 }),
  }),
  fc.constant({ type: "delete" } as const),
  fc.record({
    type: fc.constant("append" as const),
    lines: fc.array(TEXT, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant("prepend" as const),
    lines: fc.array(TEXT, { minLength: 1, maxLength: 3 }),
  }),
);

async function readThenEdit(workspace: Workspace, bytes: Uint8Array, edits: Edits) {
  workspace.write("f", bytes);
  workspace.tracker.forgetReads();
  const read = await workspace.run(READ_FILE, { path: "f" });
  ok(!read.isError, read.output);
  return await workspace.run(EDIT_FILE, { path: "f", edits });
}

Deno.test("edit_file applies any set of edits exactly, in any order, endings and encoding", () =>
  withWorkspace(async (workspace) => {
    await fc.assert(
      fc.asyncProperty(
        FILE.chain((file) =>
          fc.record({
            file: fc.constant(file),
            steps: fc.array(STEP, { minLength: file.rows.length, maxLength: file.rows.length }),
            seed: fc.nat(),
          })
        ),
        async ({ file: { rows, finalNewline, encoding }, steps, seed }) => {
          const before = textOf(rows, finalNewline);
          const edits: Edits = [];
          const expected: string[] = [];
          // The lines as they come out, in terms of line feeds only; endings are checked below.
          for (const [index, step] of steps.entries()) {
            const row = rows[index];
            if (row === undefined) continue;
            const pos = lineAnchor(row.text, index + 1);
            switch (step.type) {
              case "keep":
                expected.push(row.text);
                break;
              case "delete":
                edits.push({ op: "delete", pos });
                break;
              case "replace":
                edits.push({ op: "replace", pos, lines: [...step.lines] });
                expected.push(...step.lines);
                break;
              case "append":
                edits.push({ op: "append", pos, lines: [...step.lines] });
                expected.push(row.text, ...step.lines);
                break;
              case "prepend":
                edits.push({ op: "prepend", pos, lines: [...step.lines] });
                expected.push(...step.lines, row.text);
            }
          }
          if (edits.length === 0) return;
          const shuffled = edits.toSorted((a, b) =>
            (JSON.stringify(a).length * seed) % 7 - (JSON.stringify(b).length * seed) % 7
          );
          const bytes = encodeFile(before, encoding);
          const result = await readThenEdit(workspace, bytes, shuffled);
          const after = new TextDecoder(encoding.name, { ignoreBOM: true })
            .decode(workspace.bytes("f")).slice(encoding.bom ? 1 : 0);
          if (result.isError) {
            // The one reason left: the edits add up to the same text.
            ok(/leave "f" as it is/.test(result.output), result.output);
            deepEqual(workspace.bytes("f"), bytes);
            return;
          }
          const lastDeleted = steps.at(-1)?.type === "delete" && !finalNewline;
          const wanted = expected.length === 0
            ? ""
            : expected.join("\n") + (finalNewline || lastDeleted ? "\n" : "");
          equal(after.replaceAll("\r\n", "\n"), wanted);
          deepEqual(encodeFile(after, encoding), workspace.bytes("f"));
          deepEqual(workspace.names(), ["f"]);
        },
      ),
      { numRuns: 400 },
    );
  }));

Deno.test("edit_file changes no byte outside the edited lines", () =>
  withWorkspace(async (workspace) => {
    await fc.assert(
      fc.asyncProperty(
        FILE,
        fc.nat(),
        fc.nat(),
        fc.array(TEXT, { maxLength: 4 }),
        fc.boolean(),
        async ({ rows, finalNewline, encoding }, a, b, lines, byText) => {
          const [from, to] = [a % rows.length, b % rows.length].sort((x, y) => x - y);
          if (from === undefined || to === undefined) return;
          const before = textOf(rows, finalNewline);
          const head = textOf(rows.slice(0, from), true);
          const tail = textOf(rows.slice(to + 1), finalNewline);
          const old = rows.slice(from, to + 1).map(({ text }) => text).join("\n");
          const edits: Edits = byText && old !== ""
            ? [{ old_text: old, new_text: lines.join("\n") }]
            : [{
              op: "replace",
              pos: lineAnchor(rows[from]?.text ?? "", from + 1),
              end: lineAnchor(rows[to]?.text ?? "", to + 1),
              lines,
            }];
          const bytes = encodeFile(before, encoding);
          const result = await readThenEdit(workspace, bytes, edits);
          if (result.isError) return deepEqual(workspace.bytes("f"), bytes);
          const after = workspace.bytes("f");
          const start = encodeFile(head, encoding);
          const end = encodeFile(tail, { ...encoding, bom: false });
          deepEqual(after.slice(0, start.length), start);
          if (end.length > 0) deepEqual(after.slice(-end.length), end);
          ok(after.length >= start.length + end.length);
        },
      ),
      { numRuns: 400 },
    );
  }));

Deno.test("edit_file undoes a change with the inverse edit, byte for byte", () =>
  withWorkspace(async (workspace) => {
    await fc.assert(
      fc.asyncProperty(
        FILE,
        fc.nat(),
        fc.nat(),
        fc.array(TEXT, { minLength: 1, maxLength: 4 }),
        async ({ rows, finalNewline, encoding }, a, b, lines) => {
          const [from, to] = [a % rows.length, b % rows.length].sort((x, y) => x - y);
          if (from === undefined || to === undefined) return;
          // Endings of lines that are taken away cannot be known to the inverse; one kind can.
          const same = rows.map(({ text }) => ({ text, ending: "\r\n" as const }));
          const bytes = encodeFile(textOf(same, finalNewline), encoding);
          const olds = same.slice(from, to + 1).map(({ text }) => text);
          if (!finalNewline && to === rows.length - 1 && lines.at(-1) === "") return;
          const done = await readThenEdit(workspace, bytes, [{
            op: "replace",
            pos: lineAnchor(olds[0] ?? "", from + 1),
            end: lineAnchor(olds.at(-1) ?? "", to + 1),
            lines,
          }]);
          if (done.isError) return deepEqual(workspace.bytes("f"), bytes);
          // With a single line left there is no ending in the file to go by.
          if (!/\r\n/.test(new TextDecoder(encoding.name).decode(workspace.bytes("f")))) return;
          const undone = await workspace.run(EDIT_FILE, {
            path: "f",
            edits: [{
              op: "replace",
              pos: lineAnchor(lines[0] ?? "", from + 1),
              end: lineAnchor(lines.at(-1) ?? "", from + lines.length),
              lines: olds,
            }],
          });
          ok(!undone.isError, undone.output);
          deepEqual(workspace.bytes("f"), bytes);
        },
      ),
      { numRuns: 300 },
    );
  }));

Deno.test("edit_file either applies hostile edits or leaves the file alone", () =>
  withWorkspace(async (workspace) => {
    const anchor = fc.oneof(
      fc.string({ maxLength: 10 }),
      fc.tuple(fc.nat(15), fc.constantFrom("", "}", "a")).map(([line, text]) =>
        lineAnchor(text, line)
      ),
    );
    const chaos = fc.record({
      op: fc.constantFrom("replace", "append", "prepend", "delete"),
      pos: anchor,
      end: anchor,
      lines: fc.array(fc.string(), { maxLength: 3 }),
      old_text: fc.string({ maxLength: 4 }),
      new_text: fc.string({ maxLength: 4 }),
    }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a\n", "}\n", "\n", "a\r\n"), { maxLength: 8 }),
        fc.array(chaos as fc.Arbitrary<Edits[number]>, { minLength: 1, maxLength: 4 }),
        async (parts, edits) => {
          const bytes = new TextEncoder().encode(parts.join(""));
          const result = await readThenEdit(workspace, bytes, edits);
          deepEqual(workspace.names(), ["f"]);
          if (result.isError) return deepEqual(workspace.bytes("f"), bytes);
          ok(result.details?.type === "FileChange");
          equal(workspace.read("f"), result.details.after);
        },
      ),
      { numRuns: 300 },
    );
  }));
