import assert from "node:assert/strict";
import { FileTracker } from "../../sessions/file_tracker.ts";

Deno.test("FileTracker.status() tells unread, current and changed files apart", () => {
  const tracker = new FileTracker();
  assert.equal(tracker.status("/a", "x"), "unread");
  tracker.record("/a", "x");
  assert.equal(tracker.status("/a", "x"), "current");
  assert.equal(tracker.status("/a", "y"), "changed");
  assert.equal(tracker.lastSeen("/a"), "x");
  tracker.record("/a", "y");
  assert.equal(tracker.status("/a", "y"), "current");
});

Deno.test("FileTracker drops old texts first and keeps what it knows about them", () => {
  const tracker = new FileTracker({ maxKeptUnits: 10 });
  tracker.record("/a", "aaaaaa");
  tracker.record("/b", "bbbbbb");
  assert.equal(tracker.lastSeen("/a"), undefined);
  assert.equal(tracker.lastSeen("/b"), "bbbbbb");
  assert.equal(tracker.status("/a", "aaaaaa"), "current");
  assert.equal(tracker.status("/a", "aaaaab"), "changed");
  tracker.record("/c", "c".repeat(11));
  assert.equal(tracker.lastSeen("/c"), undefined);
  assert.equal(tracker.lastSeen("/b"), "bbbbbb");
  assert.equal(tracker.status("/c", "c".repeat(11)), "current");
});

Deno.test("FileTracker.noteRead() knows the same range of the same content again", () => {
  const tracker = new FileTracker();
  const read = { content: "x\ny", offset: 1, limit: 2 };
  assert.equal(tracker.noteRead("/a", read), false);
  assert.equal(tracker.noteRead("/a", read), true);
  assert.equal(tracker.noteRead("/a", { ...read, limit: 1 }), false);
  assert.equal(tracker.noteRead("/b", read), false);
  assert.equal(tracker.noteRead("/a", { ...read, content: "x\nz" }), false);
  assert.equal(tracker.noteRead("/a", read), false);
});

Deno.test("FileTracker.forgetReads() forgets ranges and keeps what was seen", () => {
  const tracker = new FileTracker();
  tracker.record("/a", "x");
  tracker.noteRead("/a", { content: "x", offset: 1, limit: 1 });
  tracker.forgetReads();
  assert.equal(tracker.noteRead("/a", { content: "x", offset: 1, limit: 1 }), false);
  assert.equal(tracker.status("/a", "x"), "current");
});

Deno.test("FileTracker takes any path, also one named like an object built-in (B44)", () => {
  const tracker = new FileTracker();
  assert.equal(tracker.status("__proto__", ""), "unread");
  tracker.record("constructor", "");
  assert.equal(tracker.status("constructor", ""), "current");
});
