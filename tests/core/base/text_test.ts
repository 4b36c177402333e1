import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodeUtf8,
  headUnits,
  makeVisible,
  nearestName,
  nearestNames,
  tailUnits,
  utf8Length,
} from "../../../core/base/text.ts";

Deno.test("utf8Length() counts as the encoder does, lone surrogates included", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), fc.string(), (a, b) => {
    const text = `${a}\ud800${b}\udc00é€😀`;
    assert.equal(utf8Length(text), encodeUtf8(text).length);
  }));
});

Deno.test("headUnits() and tailUnits() B55 never cut a surrogate pair", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, units) => {
    assert.ok(headUnits(text, units).isWellFormed());
    assert.ok(tailUnits(text, units).isWellFormed());
    assert.ok(headUnits(text, units).length <= units);
    assert.ok(tailUnits(text, units).length <= units);
  }));
  assert.equal(headUnits("ab😀", 3), "ab");
  assert.equal(tailUnits("😀ab", 3), "ab");
});

Deno.test("makeVisible() B119 shows controls, bidi overrides and zero-width characters", () => {
  assert.equal(makeVisible("rm\u202e x\u200b\u0007\n\tz"), "rm\\u{202e} x\\u{200b}\\u{7}\n\tz");
  assert.equal(makeVisible("plain äöü 漢字 😀"), "plain äöü 漢字 😀");
  assert.equal(makeVisible("tag\u{e0041}"), "tag\\u{e0041}");
});

Deno.test("nearestName() finds a mistyped name and nothing that is far", () => {
  const names = ["getState", "getMessages", "prompt"];
  assert.equal(nearestName("getstate", names), "getState");
  assert.equal(nearestName("promt", names), "prompt");
  assert.equal(nearestName("somethingElse", names), undefined);
  assert.deepEqual(nearestNames("getMesages", names), ["getMessages"]);
});
