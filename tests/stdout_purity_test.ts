import assert from "node:assert/strict";
import { sourceFiles } from "./support/source_files.ts";

const GUARD = new URL("../core/cli/console_guard.ts", import.meta.url).href;

async function run(code: string): Promise<{ stdout: string; stderr: string }> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--ext=ts", code],
    cwd: new URL("..", import.meta.url).pathname,
  }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stderr));
  return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("no module of the product writes to stdout when it is loaded", async () => {
  const urls = sourceFiles().map((file) => file.path).filter((path) => path !== "main.ts")
    .map((path) => new URL(`../${path}`, import.meta.url).href);
  const { stdout } = await run(
    `for (const url of ${JSON.stringify(urls)}) await import(url);`,
  );
  assert.equal(stdout, "");
});

Deno.test("guardConsole() sends what a dependency prints to stderr", async () => {
  const { stdout, stderr } = await run(
    `const { guardConsole } = await import(${JSON.stringify(GUARD)});
     guardConsole();
     console.log("a"); console.info("b"); console.debug("c"); console.table([1]);
     console.dir({}); console.group("d"); console.error("e");`,
  );
  assert.equal(stdout, "");
  for (const letter of "abcde") assert.ok(stderr.includes(letter));
});
