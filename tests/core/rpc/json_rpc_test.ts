import assert from "node:assert/strict";
import fc from "fast-check";
import { parseRpcLine, type RpcIncoming } from "../../../core/rpc/json_rpc.ts";
import { RPC_CODES } from "../../../core/rpc/rpc_error.ts";

function codeOf(incoming: RpcIncoming): number | undefined {
  return incoming.type === "invalid" ? incoming.error.rpcCode : undefined;
}

Deno.test("parseRpcLine() reads requests and notifications", () => {
  assert.deepEqual(parseRpcLine('{"jsonrpc":"2.0","method":"a","params":{"x":1},"id":"i"}'), {
    type: "call",
    method: "a",
    params: { x: 1 },
    id: "i",
  });
  assert.deepEqual(parseRpcLine('{"jsonrpc":"2.0","method":"a","params":[1]}'), {
    type: "call",
    method: "a",
    params: [1],
  });
});

Deno.test("parseRpcLine() B149 keeps odd ids and refuses those that are none", () => {
  for (const id of [0, "", 1.5, -3, "é"]) {
    const line = JSON.stringify({ jsonrpc: "2.0", method: "a", id });
    assert.deepEqual(parseRpcLine(line), { type: "call", method: "a", params: {}, id });
  }
  for (const id of ["null", "true", "{}", "[]", "1e999"]) {
    const incoming = parseRpcLine(`{"jsonrpc":"2.0","method":"a","id":${id}}`);
    assert.equal(codeOf(incoming), RPC_CODES.invalidRequest, id);
  }
});

Deno.test("parseRpcLine() B140 answers what is no message", () => {
  const table: readonly (readonly [string, number])[] = [
    ["ls", RPC_CODES.parseError],
    ["{", RPC_CODES.parseError],
    ["{}", RPC_CODES.invalidRequest],
    ["[]", RPC_CODES.invalidRequest],
    ["null", RPC_CODES.invalidRequest],
    ["7", RPC_CODES.invalidRequest],
    ['{"jsonrpc":"1.0","method":"a","id":1}', RPC_CODES.invalidRequest],
    ['{"jsonrpc":"2.0","method":3,"id":1}', RPC_CODES.invalidRequest],
    ['{"jsonrpc":"2.0","method":"a","params":"x","id":1}', RPC_CODES.invalidRequest],
    ['{"jsonrpc":"2.0","method":"a","params":null,"id":1}', RPC_CODES.invalidRequest],
  ];
  for (const [line, code] of table) assert.equal(codeOf(parseRpcLine(line)), code, line);
});

Deno.test("parseRpcLine() reads a batch member by member", () => {
  const incoming = parseRpcLine('[{"jsonrpc":"2.0","method":"a","id":1},3]');
  assert.equal(incoming.type, "batch");
  if (incoming.type !== "batch") return;
  assert.deepEqual(incoming.members.map((member) => member.type), ["call", "invalid"]);
});

Deno.test("parseRpcLine() never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
    parseRpcLine(line);
  }));
});
