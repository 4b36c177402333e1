import { deepEqual, equal, throws } from "node:assert/strict";
import { object } from "valibot";
import { ToolRegistry } from "../../tools/registry.ts";
import { type Tool, toolSuccess } from "../../tools/tool.ts";
import { ToolError } from "../../tools/tool_error.ts";

function tool(name: string, source = "builtin"): Tool {
  return {
    name,
    description: "",
    schema: object({}),
    risk: "read",
    highestRisk: "read",
    source,
    execute: () => Promise.resolve(toolSuccess("")),
  };
}

Deno.test("B44 ToolRegistry treats names of object built-ins as ordinary names", () => {
  const registry = new ToolRegistry();
  for (const name of ["constructor", "toString", "hasOwnProperty"]) {
    equal(registry.get(name), undefined);
    registry.register(tool(name));
    equal(registry.get(name)?.name, name);
  }
  equal(registry.get("__proto__"), undefined);
  registry.register(tool("__proto__"));
  equal(registry.get("__proto__")?.name, "__proto__");
  equal(registry.list().length, 4);
});

Deno.test("ToolRegistry.register() refuses a taken name and names both sources", () => {
  const registry = new ToolRegistry();
  registry.register(tool("read_file"));
  throws(() => registry.register(tool("read_file", "mine")), (error: unknown) => {
    return error instanceof ToolError && error.code === "tool" &&
      /"mine".*"builtin"/.test(error.message);
  });
  equal(registry.get("read_file")?.source, "builtin");
});

Deno.test("ToolRegistry.register() refuses names that model servers do not accept", () => {
  for (const name of ["", "a b", "é", "a.b", "x".repeat(65)]) {
    throws(() => new ToolRegistry().register(tool(name)), ToolError);
  }
});

Deno.test("ToolRegistry.list() has the same order whatever the order of registration", () => {
  const names = ["write_file", "a-b", "A", "read_file", "a_b"];
  const one = new ToolRegistry();
  const two = new ToolRegistry();
  for (const name of names) one.register(tool(name));
  for (const name of names.toReversed()) two.register(tool(name));
  const order = one.list().map(({ name }) => name);
  deepEqual(order, ["A", "a-b", "a_b", "read_file", "write_file"]);
  deepEqual(two.list().map(({ name }) => name), order);
});

Deno.test("ToolRegistry.removeSource() removes exactly the tools of that source", () => {
  const registry = new ToolRegistry();
  registry.register(tool("a"));
  registry.register(tool("b", "mine"));
  registry.register(tool("c", "mine"));
  deepEqual(registry.removeSource("mine"), ["b", "c"]);
  deepEqual(registry.removeSource("mine"), []);
  deepEqual(registry.list().map(({ name }) => name), ["a"]);
});

Deno.test("ToolRegistry.near() names what was probably meant", () => {
  const registry = new ToolRegistry();
  for (const name of ["read_file", "write_file", "run_command"]) registry.register(tool(name));
  deepEqual(registry.near("readfile"), ["read_file"]);
  deepEqual(registry.near("zzz"), []);
});
