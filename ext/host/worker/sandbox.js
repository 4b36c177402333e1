// The first half of a worker's program: it takes what the second half needs, then removes
// everything from the realm that an extension is not given. Nothing of the extension has run yet;
// afterwards nothing that it can patch is used: only the constants below.
//
// deno-lint-ignore-file no-unused-vars -- runtime.js follows in the same module

const { apply, ownKeys } = Reflect;
const { defineProperty, freeze, getOwnPropertyDescriptor, create } = Object;
const { parse, stringify } = JSON;
const { load, store, wait } = Atomics;
const NativeError = Error;
const NativeRequest = Request;
const NativeUrl = URL;
const NativeUint8Array = Uint8Array;
const NativeInt32Array = Int32Array;
const toText = String;
const isArray = Array.isArray;
const round = Math.round;
const nowMs = Date.now;
const memoryUsage = Deno.memoryUsage;
const closeWorker = close.bind(globalThis);
const nativeFetch = fetch;
const portPost = MessagePort.prototype.postMessage;
const portOn = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage").set;
const listen = EventTarget.prototype.addEventListener;
const unlisten = EventTarget.prototype.removeEventListener;
const preventDefault = Event.prototype.preventDefault;
const errorOf = Object.getOwnPropertyDescriptor(ErrorEvent.prototype, "error").get;
const reasonOf = Object.getOwnPropertyDescriptor(PromiseRejectionEvent.prototype, "reason").get;
const urlHost = Object.getOwnPropertyDescriptor(URL.prototype, "hostname").get;
const requestUrl = Object.getOwnPropertyDescriptor(Request.prototype, "url").get;
const decoder = new TextDecoder();
const decode = TextDecoder.prototype.decode;
const encoder = new TextEncoder();
const encode = TextEncoder.prototype.encode;
const setBytes = Object.getPrototypeOf(Uint8Array.prototype).set;
const subBytes = Object.getPrototypeOf(Uint8Array.prototype).subarray;
const lengthOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  "length",
).get;
const slice = String.prototype.slice;
const lastIndexOf = String.prototype.lastIndexOf;
const toLowerCase = String.prototype.toLowerCase;
const split = String.prototype.split;
const push = Array.prototype.push;
const join = Array.prototype.join;

/** Everything that an extension finds in its global object; `rho` is added later. */
const ALLOWED = [
  // ECMAScript, without eval, and without WebAssembly, whose memory nobody can bound.
  ..."Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String".split(
    " ",
  ),
  ..."Symbol Date Promise RegExp Error AggregateError EvalError RangeError ReferenceError".split(
    " ",
  ),
  ..."SyntaxError TypeError URIError SuppressedError globalThis JSON Math Intl Atomics".split(" "),
  ..."ArrayBuffer SharedArrayBuffer DataView Uint8Array Int8Array Uint16Array Int16Array".split(
    " ",
  ),
  ..."Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float16Array".split(
    " ",
  ),
  ..."Float32Array Float64Array Map BigInt Set Iterator AsyncIterator WeakMap WeakSet WeakRef"
    .split(" "),
  ..."Proxy Reflect FinalizationRegistry decodeURI decodeURIComponent encodeURI".split(" "),
  ..."encodeURIComponent escape unescape isFinite isNaN Temporal DisposableStack".split(" "),
  ..."AsyncDisposableStack".split(" "),
  // The web platform.
  ..."self console fetch Headers Request Response FormData Blob File URL URLSearchParams".split(
    " ",
  ),
  ..."URLPattern TextEncoder TextDecoder TextEncoderStream TextDecoderStream".split(" "),
  ..."ReadableStream WritableStream TransformStream CompressionStream DecompressionStream".split(
    " ",
  ),
  ..."setTimeout clearTimeout setInterval clearInterval queueMicrotask structuredClone".split(" "),
  ..."AbortController AbortSignal Event EventTarget CustomEvent DOMException".split(" "),
  ..."crypto Crypto CryptoKey SubtleCrypto atob btoa performance".split(" "),
];

/** Names that must not even be defined again: rho's own runtime looks some of them up. */
const PINNED = [
  ..."Deno process Buffer global Worker require module exports BroadcastChannel caches".split(" "),
  ..."navigator postMessage onmessage onmessageerror close name location WebAssembly".split(" "),
  ..."MessageChannel MessagePort WebSocket EventSource importScripts Bootstrap".split(" "),
];

function lockDown() {
  // Timers load parts of the runtime at their first use, which later would miss what is gone.
  clearTimeout(setTimeout(() => {}, 0));
  const allowed = new Set(ALLOWED);
  // Some names live on the prototypes of the global object.
  for (
    let at = globalThis;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    // Events reach the global object through its prototype's methods.
    if (at === EventTarget.prototype) continue;
    for (const key of ownKeys(at)) {
      if (typeof key !== "string" || key === "constructor" || allowed.has(key)) continue;
      if (!Reflect.deleteProperty(at, key)) pin(at, key);
    }
  }
  for (const key of PINNED) pin(globalThis, key);
}

function pin(target, key) {
  try {
    defineProperty(target, key, { value: undefined, writable: false, configurable: false });
  } catch {
    // It cannot be changed by anyone then.
  }
}
