import assert from "node:assert/strict";
import { ApprovalDesk } from "../../../core/rpc/approval_desk.ts";
import { RPC_CODES, RpcError } from "../../../core/rpc/rpc_error.ts";

function ask(desk: ApprovalDesk, id: string, signal = new AbortController().signal) {
  return desk.gate({ id, tool: "t", arguments: "{}" }, "write", { signal });
}

Deno.test("ApprovalDesk gives an answer to the request that it names, else to the oldest", async () => {
  const desk = new ApprovalDesk();
  const [a, b, c] = [ask(desk, "a"), ask(desk, "b"), ask(desk, "c")];
  desk.respond({ approved: false, id: "b" });
  desk.respond({ approved: true });
  desk.respond({ approved: true, remember: "session" });
  assert.deepEqual(await Promise.all([a, b, c]), ["approved", "denied", "approved_for_session"]);
});

Deno.test("ApprovalDesk turns a denial with a message into a redirect", async () => {
  const desk = new ApprovalDesk();
  const [a, b] = [ask(desk, "a"), ask(desk, "b")];
  desk.respond({ approved: false, message: " use the other file " });
  desk.respond({ approved: false, message: "  " });
  assert.deepEqual(await Promise.all([a, b]), [{ redirect: "use the other file" }, "denied"]);
});

Deno.test("ApprovalDesk B119 refuses an answer to what is not open any more", async () => {
  const desk = new ApprovalDesk();
  const a = ask(desk, "a");
  desk.respond({ approved: true, id: "a" });
  await a;
  assert.throws(() => desk.respond({ approved: true, id: "a" }), (error) => {
    return error instanceof RpcError && error.rpcCode === RPC_CODES.notFound;
  });
  desk.respond({ approved: true });
});

Deno.test("ApprovalDesk denies what is open when the turn is cancelled or the client is gone", async () => {
  const desk = new ApprovalDesk();
  const controller = new AbortController();
  const cancelled = ask(desk, "a", controller.signal);
  controller.abort();
  assert.deepEqual(await cancelled, { denied: "the turn was cancelled" });
  const open = ask(desk, "b");
  desk.close();
  const late = ask(desk, "c");
  for (const decision of [await open, await late]) {
    assert.ok(typeof decision === "object" && "denied" in decision);
  }
});
