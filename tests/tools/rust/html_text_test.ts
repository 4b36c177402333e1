import assert from "node:assert/strict";
import { decodeEntities, elementEnd, htmlToText } from "../../../tools/rust/html_text.ts";

Deno.test("htmlToText() writes headings, lists, code and paragraphs as plain text", () => {
  const html = '<h2 id="x">Title<a href="#x" class="anchor">§</a></h2><p>One\n<em>two</em> ' +
    "<code>a &lt; b</code>.</p><ul><li><p>first</p></li><li>second</li></ul><script>no</script>" +
    '<pre class="rust"><code>let x = 1;\n  y</code></pre><p>2<sup>31</sup></p>';
  assert.equal(
    htmlToText(html, { maxUnits: 1000 }).text,
    "## Title\n\nOne two `a < b`.\n\n- first\n\n- second\n```rust\nlet x = 1;\n  y\n```\n\n2^31",
  );
});

Deno.test("htmlToText() stops when there is enough, at the end of a line", () => {
  const { text, isWhole } = htmlToText("<p>one</p><p>two</p><p>three</p>", { maxUnits: 10 });
  assert.deepEqual([text, isWhole], ["one\n\ntwo", false]);
});

Deno.test("htmlToText() and elementEnd() stay linear on broken pages", () => {
  const startMs = performance.now();
  for (const piece of ["<", "<div>", "</div", "<p", "&", "<pre>", "<!--", '<a class="src">']) {
    const html = piece.repeat(100_000);
    htmlToText(html, { maxUnits: 1e9 });
    elementEnd(html, 0);
    decodeEntities(html);
  }
  assert.ok(performance.now() - startMs < 3000, `${performance.now() - startMs} ms`);
});

Deno.test("elementEnd() finds the end of nested elements", () => {
  const html = "<div><div>a</div><divx></divx></div>b";
  assert.equal(html.slice(elementEnd(html, 0)), "b");
});

Deno.test("decodeEntities() leaves alone what it does not know", () => {
  assert.equal(decodeEntities("&lt;&#65;&#x42;&bogus;&#0;&"), "<AB&bogus;&#0;&");
});
