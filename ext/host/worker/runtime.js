// The second half of a worker's program: the bridge to the host, the global `rho`, and the
// extension's calls. See sandbox.js for the names that it uses.

const MAX_RESULT_UNITS = 4 * 1024 * 1024;
const MAX_LOG_UNITS = 8 * 1024;
const MAX_STACK_UNITS = 8 * 1024;
const LOG_BURST = 200;
const LOG_LINES_A_SECOND = 20;
const LEVELS = { __proto__: null, error: "error", warn: "warn", info: "info", debug: "debug" };
const METADATA = {
  __proto__: null,
  "169.254.169.254": true,
  "[fd00:ec2::254]": true,
  "metadata.google.internal": true,
};

let port;
let shared;
let header;
let manifest;
/** Calls that run and have not used the network yet; a fetch is told to rho once for them. */
let hasUntoldCalls = false;
let logTokens = LOG_BURST;
let logRefilledMs = nowMs();
let droppedLogs = 0;

function send(message) {
  apply(portPost, port, [message]);
}

/** Asks rho and waits for its answer; the only way out of the worker. */
function hostCall(name, args) {
  let text;
  try {
    text = stringify(args);
  } catch (error) {
    throw new NativeError(`Cannot call rho.${name}: an argument is not JSON (${describe(error)})`);
  }
  store(header, 0, 0);
  send({ type: "host_call", name, args: text });
  wait(header, 0, 0);
  const length = load(header, 2);
  const bytes = new NativeUint8Array(length);
  apply(setBytes, bytes, [new NativeUint8Array(shared, 16, length)]);
  const answer = apply(decode, decoder, [bytes]);
  if (load(header, 1) !== 1) throw new NativeError(answer);
  return answer === "" ? undefined : parse(answer);
}

function describe(thrown) {
  try {
    if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
      return cut(toText(thrown.message), MAX_LOG_UNITS);
    }
    return cut(toText(thrown), MAX_LOG_UNITS);
  } catch {
    return "something that cannot be shown was thrown";
  }
}

function stackOf(thrown) {
  try {
    const stack = typeof thrown === "object" && thrown !== null ? thrown.stack : undefined;
    return typeof stack === "string" ? cut(stack, MAX_STACK_UNITS) : "";
  } catch {
    return "";
  }
}

function cut(text, units) {
  return apply(slice, text, [0, units]);
}

function log(level, message) {
  const now = nowMs();
  const refill = (now - logRefilledMs) / 1000 * LOG_LINES_A_SECOND;
  if (refill >= 1) {
    logTokens = logTokens + refill > LOG_BURST ? LOG_BURST : logTokens + refill;
    logRefilledMs = now;
  }
  if (logTokens < 1) {
    droppedLogs += 1;
    return;
  }
  logTokens -= 1;
  if (droppedLogs > 0) {
    const count = droppedLogs;
    droppedLogs = 0;
    send({ type: "log", level: "warn", message: `${count} log lines were dropped: too many` });
  }
  send({ type: "log", level: LEVELS[level] ?? "info", message: cut(message, MAX_LOG_UNITS) });
}

function show(values) {
  const parts = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    let text;
    try {
      text = typeof value === "object" && value !== null && !("stack" in value)
        ? stringify(value)
        : typeof value === "object" && value !== null
        ? stackOf(value) || describe(value)
        : toText(value);
    } catch {
      text = describe(value);
    }
    apply(push, parts, [text ?? "undefined"]);
  }
  return apply(join, parts, [" "]);
}

function makeConsole() {
  const to = (level) => (...values) => log(level, show(values));
  return freeze({
    log: to("info"),
    info: to("info"),
    debug: to("debug"),
    trace: to("debug"),
    warn: to("warn"),
    error: to("error"),
    assert: (condition, ...values) => {
      if (!condition) log("error", `Assertion failed: ${show(values)}`);
    },
    dir: (value) => log("info", show([value])),
  });
}

/** `fetch` that tells rho before a call first uses the network, so that it is never run twice. */
function makeFetch() {
  return function fetch(input, init) {
    try {
      const url = input instanceof NativeRequest ? apply(requestUrl, input, []) : toText(input);
      const host = apply(urlHost, new NativeUrl(url), []);
      if (METADATA[apply(toLowerCase, host, [])] === true) {
        throw new NativeError(`Cannot fetch from "${host}": it is a cloud metadata address`);
      }
      if (hasUntoldCalls) {
        hasUntoldCalls = false;
        hostCall("noteFetch", []);
      }
    } catch (error) {
      // deno-lint-ignore require-await -- a rejection, made without a patchable Promise
      return (async () => {
        throw error;
      })();
    }
    return nativeFetch(input, init);
  };
}

function baseName(path) {
  return apply(slice, path, [apply(lastIndexOf, path, ["/"]) + 1]);
}

function dirName(path) {
  const at = apply(lastIndexOf, path, ["/"]);
  return at < 0 ? "." : at === 0 ? "/" : apply(slice, path, [0, at]);
}

function joinPaths(parts) {
  const names = apply(split, apply(join, parts, ["/"]), ["/"]);
  const kept = [];
  const isAbsolute = parts.length > 0 && apply(slice, parts[0], [0, 1]) === "/";
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name === "" || name === ".") continue;
    const last = kept[kept.length - 1];
    if (name === ".." && kept.length > 0 && last !== "..") kept.length -= 1;
    else if (name !== ".." || !isAbsolute) kept[kept.length] = name;
  }
  const text = apply(join, kept, ["/"]);
  return isAbsolute ? `/${text}` : text === "" ? "." : text;
}

/** The start of a text: at most so many bytes of UTF-8 and so many lines, no character split. */
function truncate(text, maxBytes, maxLines) {
  let result = toText(text);
  if (maxLines !== undefined) {
    const lines = apply(split, result, ["\n"]);
    if (lines.length > maxLines) {
      lines.length = maxLines;
      result = apply(join, lines, ["\n"]);
    }
  }
  if (maxBytes === undefined) return result;
  const bytes = apply(encode, encoder, [result]);
  if (apply(lengthOf, bytes, []) <= maxBytes) return result;
  let end = maxBytes > 0 ? maxBytes : 0;
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end -= 1;
  return apply(decode, decoder, [apply(subBytes, bytes, [0, end])]);
}

function makeRho() {
  const strings = (values) => {
    const list = [];
    for (let i = 0; i < values.length; i++) list[i] = toText(values[i]);
    return list;
  };
  const rho = {
    log: (level, message) => log(toText(level), show([message])),
    readFile: (path) => hostCall("readFile", [path]),
    writeFile: (path, text) => hostCall("writeFile", [path, text]),
    listFiles: (glob) => hostCall("listFiles", [glob]),
    runCommand: (command, args = [], options = {}) =>
      hostCall("runCommand", [command, args, options]),
    getCwd: () => hostCall("getCwd", []),
    getModel: () => hostCall("getModel", []),
    getConfig: () => hostCall("getConfig", []),
    getState: (kind) => hostCall("getState", [kind]),
    setState: (kind, data) => hostCall("setState", [kind, data === undefined ? null : data]),
    addMessage: (kind, text) => hostCall("addMessage", [kind, text]),
    joinPath: (...parts) => joinPaths(strings(parts)),
    basename: (path) => baseName(toText(path)),
    dirname: (path) => dirName(toText(path)),
    truncate,
  };
  // Where the linker found `import(…)`.
  defineProperty(rho, "import", {
    // deno-lint-ignore require-await -- import() rejects, too
    value: async () => {
      throw new NativeError("Cannot import at run time: put the code into the extension's folder");
    },
  });
  return freeze(rho);
}

/** What rho needs to know of a manifest: plain data, functions as `{"function": true}`. */
function plainManifest(value) {
  return stringify(
    value,
    (_key, item) => typeof item === "function" ? { function: true } : item,
  );
}

async function loadModule(code) {
  try {
    const module = await import(`data:text/javascript;base64,${code}`);
    manifest = module.default;
    if (typeof manifest !== "object" || manifest === null) {
      throw new NativeError(
        "The extension has no manifest: end its file with export default { name, version, … }",
      );
    }
    send({ type: "loaded", manifest: plainManifest(manifest) });
  } catch (error) {
    send({ type: "load_failed", message: describe(error), stack: stackOf(error) });
  }
}

function named(list, name) {
  if (!isArray(list)) return undefined;
  for (let i = 0; i < list.length; i++) {
    if (list[i]?.name === name) return list[i];
  }
  return undefined;
}

async function run(kind, target, payload) {
  if (kind === "hook") {
    const hook = manifest.hooks?.[target];
    return typeof hook === "function" ? await apply(hook, manifest.hooks, [payload]) : undefined;
  }
  if (kind === "command") return await named(manifest.commands, target).handler(payload);
  const tool = named(manifest.tools, target);
  if (typeof tool.executeJson === "function") return await tool.executeJson(parse(payload));
  return await tool.execute(payload);
}

async function answer(id, kind, target, payload) {
  hasUntoldCalls = true;
  try {
    const value = await run(kind, target, payload);
    const text = stringify(value === undefined ? null : value) ?? "null";
    if (text.length > MAX_RESULT_UNITS) {
      throw new NativeError("The result has more than 4 MiB; return less");
    }
    send({ type: "result", id, ok: true, text, stack: "" });
  } catch (error) {
    send({ type: "result", id, ok: false, text: describe(error), stack: stackOf(error) });
  }
}

function heapBytes() {
  const { heapUsed, external } = memoryUsage();
  return round(heapUsed + external);
}

function onPortMessage(event) {
  // An own property, which no prototype can answer for.
  const message = event.data;
  switch (message.type) {
    case "load":
      loadModule(message.code);
      return;
    case "call":
      answer(message.id, message.kind, message.target, message.payload);
      return;
    case "probe":
      return send({ type: "alive", nonce: message.nonce, heapBytes: heapBytes() });
    case "stop":
      send({ type: "stopped" });
      return closeWorker();
  }
}

function onStart(event) {
  const data = event.data;
  apply(unlisten, globalThis, ["message", onStart]);
  port = data.port;
  shared = data.shared;
  header = new NativeInt32Array(shared, 0, 4);
  apply(portOn, port, [onPortMessage]);
}

apply(listen, globalThis, ["message", onStart]);
// An error that nobody caught must neither end the worker nor print.
apply(listen, globalThis, ["error", (event) => {
  apply(preventDefault, event, []);
  const error = apply(errorOf, event, []);
  log("error", `Uncaught error: ${stackOf(error) || describe(error)}`);
}]);
apply(listen, globalThis, ["unhandledrejection", (event) => {
  apply(preventDefault, event, []);
  const reason = apply(reasonOf, event, []);
  log("error", `Unhandled rejection: ${stackOf(reason) || describe(reason)}`);
}]);
const consoleOfExtension = makeConsole();
const fetchOfExtension = makeFetch();
lockDown();
defineProperty(globalThis, "console", { value: consoleOfExtension, writable: true });
defineProperty(globalThis, "fetch", { value: fetchOfExtension, writable: true });
defineProperty(globalThis, "rho", { value: makeRho(), enumerable: true });
