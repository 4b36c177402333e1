import assert from "node:assert/strict";
import { textTurn, toolTurn } from "../support/chat_chunks.ts";
import { startScriptedServer } from "../support/scripted_server.ts";
import { SpawnedRho, tempFolder } from "../support/spawned_rho.ts";

const SOURCE = `let ended = 0;
export default {
  name: "all-in-one", version: "1.2.3",
  tools: [{ name: "greet", description: "Greets", risk: "read",
    parameters: { who: { type: "string", required: true } },
    executeJson({ who }) { rho.addMessage("ann.greet.v1", "greeted " + who); return "Hello, " + who; } }],
  hooks: {
    onBeforeModel() { return { append: "note from a hook" }; },
    onToolCall(p) {
      const { toolName, args } = JSON.parse(p);
      if (toolName === "list_dir") return { action: "block", reason: "not here" };
      if (toolName === "greet") return { action: "modify", arguments: { who: JSON.parse(args).who + "!" } };
    },
    onToolResult(p) {
      const { toolName, output } = JSON.parse(p);
      if (toolName === "read_file") return { output: output.length + " characters" };
    },
    onTurnEnd() { ended += 1; },
  },
  commands: [{ name: "count", description: "Counts turns", handler(a) { console.log("counting"); return ended + a; } }],
};`;

Deno.test("B52: an extension's tool, hooks, command and messages work in a real turn", async () => {
  await using server = await startScriptedServer([
    toolTurn([
      { id: "c1", name: "greet", arguments: { who: "Ann" } },
      { id: "c2", name: "list_dir", arguments: { path: "." } },
      { id: "c3", name: "read_file", arguments: { path: "a.txt" } },
    ]),
    textTurn("done"),
  ]);
  const home = await tempFolder("home");
  await Deno.mkdir(`${home}/extensions`);
  await Deno.writeTextFile(`${home}/extensions/all_in_one.ts`, SOURCE);
  await using rho = await SpawnedRho.start({
    home,
    args: ["--endpoint", server.endpoint, "--model", "m", "--ephemeral"],
  });
  await rho.write("a.txt", "some text\n");
  await rho.waitFor("ready");
  const { extensions } = await rho.client.request("listExtensions", {});
  assert.deepEqual(extensions.map(({ path: _, ...rest }) => rest), [{
    name: "all_in_one",
    version: "1.2.3",
    tools: ["greet"],
    commands: ["count"],
    hooks: ["onTurnEnd", "onBeforeModel", "onToolCall", "onToolResult"],
    status: "loaded",
    permissions: { network: true, commands: true },
  }]);
  const turn = rho.client.request("prompt", { message: "go" });
  // A read tool that could carry data out asks once a session.
  const request = await rho.waitFor("approval/request");
  assert.deepEqual([request.tool, request.risk, request.arguments], [
    "greet",
    "destructive",
    '{"who":"Ann!"}',
  ]);
  await rho.client.request("approvalResponse", { id: request.id, approved: true });
  const result = await turn;
  assert.equal("reply" in result && result.reply, "done");
  const messages = server.requests[1]?.json.messages ?? [];
  const results = messages.filter((one: { role: string }) => one.role === "tool")
    .map((one: { content: string }) => one.content);
  assert.match(results[0], /Hello, Ann!/);
  assert.match(results[1], /blocked it: not here/);
  assert.match(results[2], /\d+ characters/);
  const last = messages.slice(-2).map((one: { content: string }) => one.content);
  assert.deepEqual(last, ["greeted Ann!", "note from a hook"]);
  assert.deepEqual(await rho.client.request("runCommand", { name: "count", args: 5 }), {
    output: "15",
  });
  assert.deepEqual(await rho.waitFor("extension/log"), {
    extension: "all_in_one",
    level: "info",
    message: "counting",
  });
  await Deno.remove(`${home}/extensions/all_in_one.ts`);
  const report = await rho.client.request("reloadExtensions", {});
  assert.deepEqual(report, { added: 0, reloaded: 0, removed: 1, failed: 0, errors: [] });
  const { tools } = await rho.client.request("listTools", {});
  assert.ok(tools.every(({ source }) => source === "builtin"));
  const { code, stderr } = await rho.end();
  assert.equal(code, 0, stderr);
  await Deno.remove(home, { recursive: true });
});

Deno.test("--no-extensions loads none, and an unreviewed one of the project is only named", async () => {
  const project = await tempFolder("project");
  await Deno.mkdir(`${project}/.rho/extensions`, { recursive: true });
  await Deno.writeTextFile(`${project}/.rho/extensions/evil.ts`, "throw 1;");
  const args = [
    "--endpoint",
    "http://127.0.0.1:9/v1/chat/completions",
    "--model",
    "m",
    "--ephemeral",
  ];
  for (const more of [[], ["--no-extensions"]]) {
    await using rho = await SpawnedRho.start({ project, args: [...args, ...more] });
    await rho.waitFor("ready");
    const { extensions } = await rho.client.request("listExtensions", {});
    assert.deepEqual(
      extensions.map(({ status }) => status),
      more.length === 0 ? ["untrusted"] : [],
    );
    const { pending } = await rho.client.request("listTrust", {});
    assert.deepEqual(pending.map(({ kind }) => kind), ["extension"]);
    const { code, stderr } = await rho.end();
    assert.equal(code, 0);
    assert.equal(stderr.includes('"evil"'), more.length === 0);
  }
  await Deno.remove(project, { recursive: true });
});
