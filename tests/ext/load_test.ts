import assert from "node:assert/strict";
import { ExtensionRig, oneTool } from "./_extension_rig.ts";

Deno.test("an extension in one file that imports nothing is loaded and its tool runs", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "hello.ts": `export default {
  name: "hello", version: "1.0.0",
  tools: [{ name: "greet", description: "Greet someone", risk: "read",
    parameters: { who: { type: "string", description: "Name", required: true } },
    async execute(args) { const { who } = JSON.parse(args); return \`Hello, \${who}!\`; } }],
  commands: [{ name: "deploy", description: "Deploys", async handler(args) { return "deployed"; } }],
} satisfies ExtensionManifest;`,
    },
  });
  const [record] = rig.manager.list();
  assert.equal(record?.error, undefined);
  assert.equal(record?.status, "loaded");
  assert.deepEqual(rig.tool("greet").parameters, {
    type: "object",
    properties: { who: { type: "string", description: "Name" } },
    required: ["who"],
  });
  assert.deepEqual(await rig.call("greet", { who: "Ann" }), {
    output: '<context source="extension hello">\nHello, Ann!\n<context:end>',
    isError: false,
  });
  assert.equal(await rig.manager.runCommand("deploy", undefined), "deployed");
  assert.match(Deno.readTextFileSync(`${rig.home}/types/rho.d.ts`), /ExtensionManifest/);
});

Deno.test("a failure names the author's file and line", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "deep_one/mod.ts": `import type { X } from "./types.ts";
import { fail } from "./lib/fail.ts";
interface Unused { a: number }
export default { name: "deep-one", version: "1", tools: [{
  name: "deep", description: "d",
  async execute() {
    return fail();
  } }] };`,
      "deep_one/lib/fail.ts": `enum Color { Red = 1 }
export function fail(): string {

  throw new Error("boom " + Color[1]);
}`,
    },
  });
  const text = await rig.text("deep");
  assert.match(text, /^boom Red\n/);
  assert.match(text, /at fail \(lib\/fail\.ts:4\)/);
  assert.match(text, /\(mod\.ts:7\)/);
  assert.doesNotMatch(text, /data:/);
  await Deno.stat(`${rig.home}/cache/ext`);
});

const REFUSED: readonly (readonly [string, RegExp])[] = [
  [`import fs from "node:fs"; export default fs;`, /bad\.ts:1:1: Cannot import "node:fs"/],
  [
    `\nimport x from "npm:left-pad"; export default x;`,
    /bad\.ts:2:1: Cannot import "npm:left-pad"/,
  ],
  [`import x from "https://x.test/a.ts"; export default x;`, /Cannot import "https:/],
  [`import x from "jsr:@std/text"; export default x;`, /Cannot import "jsr:/],
  [`import x from "data:text/javascript,1"; export default x;`, /Cannot import "data:/],
  [`import x from "/etc/passwd"; export default x;`, /Cannot import "\/etc\/passwd"/],
  [`import x from "../../outside.ts"; export default x;`, /has no "outside\.ts"/],
  [`export * from "fs";`, /Cannot import "fs"/],
  [`import x from "./bad.ts" with { type: "text" }; export default x;`, /Import attributes/],
  [`export default import.meta.url;`, /bad\.ts:1:16: import\.meta is not supported/],
  [`import defer * as x from "./bad.ts"; export default x;`, /bad\.ts:1/],
  [`import source x from "./bad.ts"; export default x;`, /bad\.ts:1/],
  [`export default await import.source("x");`, /import\.source\(\) is not supported/],
  [`namespace A { export const x = 1; }\nexport default A;`, /bad\.ts:1:1: Namespaces/],
  [`class A {\n  @dec x = 1;\n}\nexport default A;`, /bad\.ts:2:3: Decorators/],
  [`import x = require("fs");\nexport default x;`, /import … = is not supported/],
  [`export default {;`, /bad\.ts:1/],
  [`export const x = 1;`, /^mod\.ts:1:10: "default" is not exported by "bad\.ts"/],
  [`throw new Error("at load"); export default {};`, /at load\n\s+at .*bad\.ts:1/],
];

Deno.test("what cannot be loaded is refused with file, line and rule; the others load", async () => {
  const files = REFUSED.map(([source], index) => [`x${index}/bad.ts`, source] as const);
  const entries = REFUSED.map((_, index) =>
    [`x${index}/mod.ts`, `export { default } from "./bad.ts";`] as const
  );
  await using rig = await ExtensionRig.start({
    user: {
      ...Object.fromEntries([...files, ...entries]),
      "good.ts": oneTool("good", "return 1;"),
    },
  });
  const records = new Map(rig.manager.list().map((record) => [record.found.name, record]));
  REFUSED.forEach(([source, expected], index) => {
    const bad = records.get(`x${index}`);
    assert.equal(bad?.status, "failed", source);
    assert.match(bad?.error ?? "", expected);
  });
  assert.equal(records.get("good")?.status, "loaded");
});

Deno.test("B124: import() of any kind rejects when it runs, however it is spelled", async () => {
  const kinds = [
    "node:fs",
    "npm:valibot",
    "jsr:@std/text",
    "https://x.test/",
    "file:///etc/passwd",
  ];
  await using rig = await ExtensionRig.start({
    user: {
      "dyn.ts": oneTool(
        "dyn",
        `const said = [];
        const f = 1
        for (const s of ${JSON.stringify(kinds)}) {
          try { await import(s); said.push("in"); } catch (e) { said.push(e.message.slice(0, 13)); }
          try { await import/**/(s, { with: { type: "text" } }); said.push("in"); }
          catch (e) { said.push(e.message.slice(0, 13)); }
        }
        try { await import("data:text/javascript,export default 1"); said.push("in"); } catch {}
        return said;`,
      ),
    },
  });
  assert.deepEqual(
    JSON.parse(await rig.text("dyn")),
    Array(10).fill("Cannot import"),
  );
});

Deno.test("a manifest is checked with errors that name the place", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "odd.ts": `export default { name: "other", tool: [], tools: [
        { name: "a b", parameters: { who: { type: "text" } } }, { name: "x", description: "d", risk: "safe", execute() {} }],
        hooks: { onToolcall() {} } };`,
    },
  });
  const error = rig.manager.list()[0]?.error ?? "";
  for (
    const expected of [
      /name must be that of the file or folder, "odd", not "other"/,
      /version must be a text, but is missing/,
      /tool is not known; did you mean "tools"\?/,
      /tools\[0\]\.name must have 1 to 64 letters/,
      /tools\[0\]\.description must be a text, but is missing/,
      /tools\[0\]\.execute must be a function/,
      /tools\[0\]\.parameters\.who\.type must be one of .* not "text"/,
      /tools\[1\]\.risk must be one of .* not "safe"/,
      /hooks\.onToolcall is not known; did you mean "onToolCall"\?/,
    ]
  ) assert.match(error, expected);
  assert.equal(rig.manager.hostPid, undefined);
});

Deno.test("B134: a project's extension runs only after a review, and a change asks again", async () => {
  const source = oneTool("mine", 'return "ran";');
  await using rig = await ExtensionRig.start({
    project: {
      ".rho/extensions/mine/mod.ts": `import "./part.ts";\n${source}`,
      ".rho/extensions/mine/part.ts": "",
    },
  });
  const status = () => rig.manager.list()[0]?.status;
  assert.equal(status(), "untrusted");
  assert.equal(rig.manager.hostPid, undefined);
  await rig.trustFile(".rho/extensions/mine/mod.ts");
  await rig.manager.reload();
  assert.equal(status(), "untrusted");
  await rig.trustFile(".rho/extensions/mine/part.ts");
  assert.deepEqual(await rig.manager.reload(), {
    added: 0,
    reloaded: 1,
    removed: 0,
    failed: 0,
    errors: [],
  });
  assert.equal(status(), "loaded");
  rig.write(`${rig.root}/.rho/extensions/mine/part.ts`, "export const changed = 1;");
  await rig.manager.reload();
  assert.equal(status(), "untrusted");
  assert.deepEqual(rig.manager.tools, []);
});

Deno.test("reload() loads what is new or changed, helpers included, and ends what is gone", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "a/mod.ts": `import { word } from "./word.ts";\n${oneTool("a", "return word;")}`,
      "a/word.ts": `export const word = "old";`,
      "b.ts": oneTool("b", "return 1;"),
    },
  });
  assert.equal(await rig.text("a"), "old");
  rig.write(`${rig.home}/extensions/a/word.ts`, `export const word = "new";`);
  rig.write(`${rig.home}/extensions/c.ts`, oneTool("c", "return 3;"));
  rig.write(`${rig.home}/extensions/d.ts`, "nonsense(");
  Deno.removeSync(`${rig.home}/extensions/b.ts`);
  const report = await rig.manager.reload();
  assert.deepEqual({ ...report, errors: report.errors.length }, {
    added: 1,
    reloaded: 1,
    removed: 1,
    failed: 1,
    errors: 1,
  });
  assert.equal(await rig.text("a"), "new");
  assert.deepEqual(rig.manager.tools.map(({ name }) => name), ["a", "c"]);
  assert.deepEqual((await rig.manager.reload()).reloaded, 0);
});

Deno.test("enabled, disabled, overriding and taken names are told by list()", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "my_tool.ts": oneTool("my-tool", "return 'user';"),
      "off.ts": oneTool("off", "return 1;"),
      "out.ts": oneTool("out", "return 1;"),
      "read_file.ts": oneTool("read_file", "return 1;"),
    },
    project: { ".rho/extensions/my-tool.ts": oneTool("my-tool", "return 'project';") },
    settings: { disabled: ["off"], enabled: ["my-tool", "off", "read-file"] },
    options: { trust: undefined },
  });
  assert.equal(await rig.text("my_tool"), "project");
  const told = rig.manager.list().map(({ found, status, error }) => [found.name, status, error]);
  assert.deepEqual(told, [
    ["my-tool", "loaded", undefined],
    ["off", "disabled", 'it is listed in [extensions] "disabled"'],
    ["out", "disabled", 'it is not listed in [extensions] "enabled"'],
    ["read_file", "loaded", 'Its tool "read_file" is left out: "builtin" has one of that name'],
  ]);
});
