import assert from "node:assert/strict";
import { builtinModules } from "node:module";
import { hostLaunch } from "../../ext/supervise/host_launch.ts";
import { HostProcess } from "../../ext/supervise/host_process.ts";
import { NODE_BUILTINS } from "../../ext/supervise/node_builtins.ts";
import type { FromHost } from "../../ext/host/messages.ts";
import { ExtensionRig, oneTool } from "./_extension_rig.ts";

/** Each expression yields what it got hold of, or throws; none may get anything. */
const ESCAPES: readonly string[] = [
  "Deno",
  "process",
  "Buffer",
  "global",
  "require",
  "Worker",
  "WebSocket",
  "EventSource",
  "BroadcastChannel",
  "caches",
  "navigator",
  "location",
  "postMessage",
  "onmessage",
  "close",
  "importScripts",
  "WebAssembly",
  "MessageChannel",
  "MessagePort",
  "localStorage",
  "indexedDB",
  "Notification",
  "globalThis.eval",
  "globalThis.constructor?.name?.startsWith('Dedicated') ? undefined : Object.getPrototypeOf(globalThis).Deno",
  "Function('return Deno')()",
  "(async () => {}).constructor('return 1')()",
  "(function* () {}).constructor('yield 1')().next().value",
  "[].constructor.constructor('return globalThis.Deno')()",
  "setTimeout('globalThis.hit = 1')",
  "Object.defineProperty(globalThis, 'Deno', { value: 1 }) && Deno",
  "(globalThis.Deno = { core: 1 }, Deno)",
  "(delete globalThis.process, globalThis.process = 1, process)",
  "rho.import('node:fs')",
  "rho.import('file:///etc/passwd', { with: { type: 'text' } })",
  "rho.constructor.constructor('return 1')()",
  "Error().constructor.prepareStackTrace",
  "(() => { let found; Error.prepareStackTrace = (_, s) => { found = s.map((f) => f.getThis() ?? f.getFunction()).find((x) => x); }; new Error().stack; return found; })()",
  "(rho.readFile = 1, rho.readFile === 1 ? 'changed' : undefined)",
  "(Object.setPrototypeOf(rho, { evil: 1 }), rho.evil)",
  "Object.getOwnPropertyNames(globalThis).find((n) => /deno|node|process/i.test(n) && globalThis[n])",
  "Object.getOwnPropertySymbols(globalThis).map((s) => globalThis[s]?.listeners?.message?.length).find((n) => n > 0)",
  "fetch('file:///etc/passwd').then((r) => r.text())",
  "fetch('http://169.254.169.254/latest/meta-data').then((r) => r.status)",
  "fetch('http://0xa9fea9fe/').then((r) => r.status)",
  "fetch('http://metadata.google.internal/').then((r) => r.status)",
  "rho.readFile('/etc/passwd')",
  "rho.readFile('../secret.txt')",
  "rho.readFile('link.txt')",
  "rho.readFile('.env')",
  "rho.readFile('/proc/self/environ')",
  "rho.writeFile('../out.txt', 'x')",
  "rho.writeFile('.git/hooks/pre-commit', 'x')",
  "rho.writeFile('.rho/config.toml', 'x')",
  "rho.writeFile('.rho/extensions/x.ts', 'x')",
  "rho.runCommand('curl', ['http://x.test'])",
  "rho.runCommand('sh', ['-c', 'curl http://x.test'])",
  "rho.runCommand('true; true')",
  "rho.runCommand('pwd', [], { cwd: '/' })",
  "rho.setState('rho.usage.v1', 1)",
  "rho.addMessage('rho.x.v1', 'x')",
];

Deno.test("B127, B128: a probe that tries every escape gets nothing", async () => {
  const body = ESCAPES.map((code) =>
    `try { const got = await (${code}); if (got !== undefined) hits.push([${
      JSON.stringify(code)
    }, String(got).slice(0, 80)]); } catch {}`
  ).join("\n");
  await using rig = await ExtensionRig.prepare({
    user: {
      "probe.js": oneTool("probe", `const hits = [];\n${body}\nreturn hits;`).replace(
        ": string",
        "",
      ),
    },
    project: { ".env": "A=1", "ok.txt": "fine", "../secret.txt": "s" },
  });
  Deno.symlinkSync("/etc/passwd", `${rig.root}/link.txt`);
  await rig.manager.start();
  assert.equal(rig.manager.list()[0]?.error, undefined);
  assert.deepEqual(JSON.parse(await rig.text("probe")), []);
});

Deno.test("the global object holds only names of the list", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "names.ts": oneTool(
        "names",
        `const names = new Set();
        for (let at = globalThis; at; at = Object.getPrototypeOf(at)) {
          for (const k of Reflect.ownKeys(at)) if (typeof k === "string" && globalThis[k] !== undefined) names.add(k);
        }
        return [...names].sort();`,
      ),
    },
  });
  const names: string[] = JSON.parse(await rig.text("names"));
  const suspicious = names.filter((name) =>
    /deno|node|worker|port|channel|cache|lock|gpu|storage|socket|event.?source|import|wasm|assembly|report|close|message/i
      .test(name)
  );
  assert.deepEqual(suspicious, []);
  assert.ok(names.includes("rho") && names.includes("fetch") && names.length < 130);
});

Deno.test("patched prototypes and forged events do not reach the bridge", async () => {
  await using rig = await ExtensionRig.start({
    user: {
      "patch.ts": oneTool(
        "patch",
        `const seen = [];
        const note = (name) => function (...args) { seen.push(name); return undefined; };
        EventTarget.prototype.addEventListener = note("add");
        Array.prototype.push = note("push"); Array.prototype.join = note("join");
        JSON.stringify = note("stringify"); JSON.parse = note("parse");
        Object.prototype.toJSON = undefined;
        Uint8Array.prototype.set = note("set"); TextDecoder.prototype.decode = note("decode");
        Atomics.wait = note("wait"); Atomics.load = note("load"); Reflect.apply = note("apply");
        Function.prototype.call = note("call"); Function.prototype.apply = note("fapply");
        Promise.prototype.then = Promise.prototype.then;
        globalThis.dispatchEvent?.(new Event("message"));
        const got = rho.readFile("ok.txt");
        return got + seen.length;`,
      ),
    },
    project: { "ok.txt": "fine" },
  });
  assert.equal(await rig.text("patch"), "fine0");
});

Deno.test("network = false and host lists hold by every route", async () => {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    return url.pathname === "/away"
      ? Response.redirect(`http://localhost:${url.port}/`)
      : new Response("here");
  });
  const { port } = server.addr;
  const body =
    `try { const r = await fetch(a.url); return await r.text(); } catch (e) { return "no: " + e.message; }`;
  await using rig = await ExtensionRig.start({
    user: { "none.ts": oneTool("none", body), "some.ts": oneTool("some", body) },
    settings: {
      perExtension: { none: { network: false }, some: { network: ["127.0.0.1"] } },
    },
  });
  const url = `http://127.0.0.1:${port}/`;
  assert.match(await rig.text("none", { url }), /^no: /);
  assert.equal(await rig.text("some", { url }), "here");
  assert.match(await rig.text("some", { url: `http://localhost:${port}/` }), /^no: /);
  assert.match(await rig.text("some", { url: `${url}away` }), /^no: /);
  await server.shutdown();
});

Deno.test("commands = false holds, and what runs has no secrets and no shell", async () => {
  const body =
    `try { return rho.runCommand(a.program, a.args, a.options); } catch (e) { return "no: " + e.message; }`;
  await using rig = await ExtensionRig.start({
    user: { "off.ts": oneTool("off", body), "on.ts": oneTool("on", body) },
    settings: { perExtension: { off: { commands: false } } },
  });
  assert.match(await rig.text("off", { program: "true" }), /^no: .*"commands" is off/);
  const env = JSON.parse(await rig.text("on", { program: "env" }));
  assert.doesNotMatch(env.stdout, /hunter2|MY_API_KEY/);
  assert.match(env.stdout, /GIT_EDITOR=false/);
  assert.deepEqual(JSON.parse(await rig.text("on", { program: "echo", args: ["a b", "$HOME"] })), {
    stdout: "a b $HOME\n",
    stderr: "",
    exitCode: 0,
  });
  const denied = await rig.text("on", { program: "curl", args: ["http://x.test"] });
  assert.match(denied, /^no: .*denylist/);
  assert.match(await rig.text("on", { program: "x y z" }), /^no: /);
  assert.match(
    await rig.text("on", { program: "sleep", args: ["9"], options: { timeoutSecs: 0.1 } }),
    /^no: The command took longer/,
  );
});

Deno.test("the import map names every module of Node", () => {
  const missing = builtinModules.map((name) => name.replace(/^node:/, ""))
    .filter((name) => !NODE_BUILTINS.includes(name));
  assert.deepEqual(missing, []);
});

Deno.test("B125: the host never prompts, reads no file, imports nothing, and drops forged lines", async () => {
  // A literal import in a worker is served with the rights of the process.
  const { args, env, program } = hostLaunch({ env: Deno.env.toObject(), maxHeapMb: 128 });
  assert.ok(args.includes("--no-prompt") && env.DENO_NO_PROMPT === "1");
  for (const name of Object.keys(env)) assert.doesNotMatch(name, /KEY|TOKEN|SECRET/);
  const said: FromHost[] = [];
  const echo = {
    program: "sh",
    args: ["-c", 'read line; echo \'{"type":"ready"}\'; echo "x {}"'],
    env: { PATH: Deno.env.get("PATH") ?? "" },
  };
  const forger = HostProcess.start({
    launch: echo,
    onMessage: (m) => said.push(m),
    onExit: () => {},
  });
  await forger.ended;
  assert.deepEqual(said, []);
  assert.equal(forger.strayLines, 2);
  // The same rights as the host has, with a program that tries the ways around a worker's flags.
  const tries = `const out = [];
    for (const f of [() => import("file:///etc/passwd", { with: { type: "text" } }),
      () => import("https://x.test/a.ts"), () => import("npm:valibot"), () => import("node:fs"),
      () => import("node:fs"), () => Deno.readTextFile("/etc/passwd"), () => eval("1"),
      () => new Deno.Command("true").output(), () => Deno.env.get("HOME"),
      () => fetch("http://169.254.169.254/")]) {
      try { await f(); out.push("in"); } catch { out.push("-"); } }
    await new Response(out.join("")).text().then((text) => postMessage(text));`;
  const flags = args.slice(0, -1);
  const file = await Deno.makeTempFile({ suffix: ".js" });
  const url = `data:text/javascript,${encodeURIComponent(tries)}`;
  const permissions = { net: true, read: false, import: false, run: false, env: false };
  await Deno.writeTextFile(
    file,
    `const w = new Worker(${JSON.stringify(url)}, { type: "module", deno: { permissions: ${
      JSON.stringify(permissions)
    } } });
    w.onmessage = (event) => { console.log(event.data); Deno.exit(0); };`,
  );
  const { stdout } = await new Deno.Command(program, {
    args: [...flags, file],
    env,
    clearEnv: true,
  })
    .output();
  await Deno.remove(file);
  assert.equal(new TextDecoder().decode(stdout), "-".repeat(10) + "\n");
});
