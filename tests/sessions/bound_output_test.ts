import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8Length } from "../../core/base/text.ts";
import { boundOutput } from "../../sessions/bound_output.ts";

Deno.test("boundOutput() leaves a text alone that fits", () => {
  for (const text of ["", "a", "é".repeat(50), "x".repeat(100)]) {
    assert.deepEqual(boundOutput(text, { maxBytes: 100 }), { text, omittedBytes: 0 });
  }
});

Deno.test("boundOutput() keeps head and tail at line ends and says how to read the rest", () => {
  const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}\n`);
  const { text, omittedBytes } = boundOutput(lines.join(""), {
    maxBytes: 400,
    howToRead: (row) => `call read_output with id "x", offset ${row}`,
  });
  const kept = text.split("\n");
  const at = kept.findIndex((line) => line.startsWith("["));
  assert.equal(kept[0], "line 0");
  assert.equal(kept[at - 1], `line ${at - 1}`);
  assert.equal(kept.at(-2), "line 999");
  const omittedLines = 1000 - (kept.length - 2);
  assert.equal(
    kept[at],
    `[${omittedBytes} bytes in ${omittedLines} lines left out here; call read_output with id "x", offset 21]`,
  );
});

Deno.test("boundOutput() cuts one long line by characters, never through a pair (B55)", () => {
  for (let shift = 0; shift < 8; shift++) {
    const { text } = boundOutput("x".repeat(shift) + "😀é".repeat(500), { maxBytes: 300 });
    assert.ok(text.isWellFormed());
    assert.ok(utf8Length(text) <= 300);
    assert.ok(text.startsWith("x".repeat(shift)));
  }
});

Deno.test("boundOutput() never splits a terminal escape", () => {
  const unit = "\u001b[38;5;245mgrey\u001b[0m\u001b]0;title\u0007";
  for (let maxBytes = 150; maxBytes < 260; maxBytes++) {
    const { text } = boundOutput(unit.repeat(40), { maxBytes });
    const [head = "", tail = ""] = text.split(/\n?\[\d+ bytes[^\]]*\]\n/);
    // deno-lint-ignore no-control-regex
    const bare = (part: string) => part.replaceAll(/\u001b\[[0-9;]*m|\u001b\]0;title\u0007/g, "");
    assert.match(bare(head), /^[grey]*$/, `head at ${maxBytes}`);
    assert.match(bare(tail), /^[grey]*$/, `tail at ${maxBytes}`);
  }
});

Deno.test("boundOutput() keeps its bound and counts what it leaves out, for any text", () => {
  const piece = fc.constantFrom("\n", "a", "é", "😀", "\u001b[31m", "long word ", "\r\n");
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 100, maxLength: 400 }).map((parts) => parts.join("")),
      fc.integer({ min: 150, max: 400 }),
      (text, maxBytes) => {
        const { text: bounded, omittedBytes } = boundOutput(text, { maxBytes });
        assert.ok(utf8Length(bounded) <= Math.max(maxBytes, 0));
        assert.ok(bounded.isWellFormed());
        if (omittedBytes === 0) assert.equal(bounded, text);
        else {
          const [head = "", tail = ""] = bounded.split(
            /\[\d+ bytes in \d+ lines left out here\]\n/,
          );
          // A head that ends inside a line got a newline of ours.
          assert.ok(text.startsWith(head) || text.startsWith(head.slice(0, -1)));
          assert.ok(text.endsWith(tail));
          const sum = utf8Length(head) + utf8Length(tail) + omittedBytes - utf8Length(text);
          assert.ok(sum === 0 || sum === 1);
        }
      },
    ),
    { numRuns: 300 },
  );
});
