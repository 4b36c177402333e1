import assert from "node:assert/strict";
import { importsOf, resolveImport, sourceFiles } from "./support/source_files.ts";

/** The rows of the architecture, by the start of a path; the longest match counts. */
const ROWS: readonly (readonly [string, number])[] = [
  ["main.ts", 8],
  ["core/app.ts", 8],
  ["core/cli/", 8],
  ["core/rpc/", 7],
  ["ext/", 6],
  ["core/agent/", 5],
  ["tools/", 4],
  ["sessions/", 3],
  ["core/llm/", 2],
  ["core/config/", 1],
  ["core/security/", 1],
  ["prompts/", 1],
  ["core/base/", 0],
];

function rowOf(path: string): number | undefined {
  return ROWS.filter(([start]) => path.startsWith(start))
    .sort(([a], [b]) => b.length - a.length)[0]?.[1];
}

Deno.test("every source file belongs to a row", () => {
  assert.deepEqual(
    sourceFiles().map((file) => file.path).filter((p) => rowOf(p) === undefined),
    [],
  );
});

Deno.test("a file imports only from its own row or from rows below", () => {
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => resolveImport(file.path, specifier))
      .filter((target) => (rowOf(target) ?? 99) > (rowOf(file.path) ?? -1))
      .map((target) => `${file.path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("no import leads in a circle", () => {
  const graph = new Map(
    sourceFiles().map((file) => [
      file.path,
      importsOf(file).filter((s) => s.startsWith(".")).map((s) => resolveImport(file.path, s)),
    ]),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  function visit(path: string, trail: readonly string[]): void {
    if (trail.includes(path)) {
      circles.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
  assert.deepEqual(circles, []);
});

Deno.test("helpers that start with _ are imported from their own folder only", () => {
  const folder = (path: string) => path.slice(0, path.lastIndexOf("/"));
  const wrong = sourceFiles().flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => resolveImport(file.path, specifier))
      .filter((t) =>
        t.slice(t.lastIndexOf("/") + 1).startsWith("_") && folder(t) !== folder(file.path)
      )
      .map((target) => `${file.path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});
