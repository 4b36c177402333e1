import { deepEqual, equal, match, rejects, throws } from "node:assert/strict";
import { FileWriteError, writeAtomically } from "../../../tools/files/atomic_write.ts";
import { withPathLock } from "../../../tools/files/path_lock.ts";
import { withWorkspace } from "./_workspace.ts";

const POSIX = { ignore: Deno.build.os === "windows" };
const encode = (text: string) => new TextEncoder().encode(text);

Deno.test({
  name: "B88 writeAtomically() keeps the mode",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ sandbox, write, read, root, names }) => {
      for (const mode of [0o755, 0o640, 0o600, 0o4755]) {
        write("run.sh", "old");
        Deno.chmodSync(`${root}/run.sh`, mode);
        writeAtomically(sandbox, `${root}/run.sh`, { bytes: encode("new"), before: encode("old") });
        equal((Deno.statSync(`${root}/run.sh`).mode ?? 0) & 0o7777, mode);
        equal(read("run.sh"), "new");
      }
      deepEqual(names(), ["run.sh"]);
      await Promise.resolve();
    }),
});

Deno.test({
  name: "B88 writeAtomically() writes a hard-linked file in place, longer and shorter",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ sandbox, write, read, root }) => {
      write("one", "old text");
      Deno.linkSync(`${root}/one`, `${root}/two`);
      const { ino } = Deno.statSync(`${root}/one`);
      for (const [from, to] of [["old text", "x"], ["x", "a longer text"]] as const) {
        writeAtomically(sandbox, `${root}/one`, { bytes: encode(to), before: encode(from) });
        equal(read("two"), to);
      }
      equal(Deno.statSync(`${root}/one`).ino, ino);
      await Promise.resolve();
    }),
});

Deno.test({
  name: "B88 writeAtomically() refuses a read-only file and leaves no temporary file",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ sandbox, write, read, root, names }) => {
      write("fixed", "old");
      Deno.chmodSync(`${root}/fixed`, 0o444);
      throws(
        () =>
          writeAtomically(sandbox, `${root}/fixed`, {
            bytes: encode("new"),
            before: encode("old"),
          }),
        /it is read-only; change its mode first/,
      );
      equal(read("fixed"), "old");
      deepEqual(names(), ["fixed"]);
      await Promise.resolve();
    }),
});

Deno.test({
  name: "B88 writeAtomically() leaves the old file and no temporary one when the disk is full",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  fn: () =>
    withWorkspace(async ({ sandbox, root }) => {
      Deno.mkdirSync(`${root}/small`);
      const mount = await new Deno.Command("mount", {
        args: ["-t", "tmpfs", "-o", "size=64k", "tmpfs", `${root}/small`],
        stderr: "null",
      }).output();
      // Containers may forbid mounts; then there is no small disk to fill.
      if (!mount.success) return;
      try {
        const old = encode("old".repeat(5000));
        Deno.writeFileSync(`${root}/small/a`, old);
        Deno.writeFileSync(`${root}/small/b`, old);
        Deno.linkSync(`${root}/small/b`, `${root}/small/c`);
        const bytes = new Uint8Array(200_000);
        for (const name of ["a", "b"]) {
          throws(
            () => writeAtomically(sandbox, `${root}/small/${name}`, { bytes, before: old }),
            /the disk is full; nothing was changed/,
          );
          deepEqual(Deno.readFileSync(`${root}/small/${name}`), old);
        }
        deepEqual([...Deno.readDirSync(`${root}/small`)].map(({ name }) => name).sort(), [
          "a",
          "b",
          "c",
        ]);
      } finally {
        await new Deno.Command("umount", { args: [`${root}/small`] }).output();
      }
    }),
});

Deno.test("writeAtomically() refuses a file that is not what the new text was made from", () =>
  withWorkspace(async ({ sandbox, write, read, root, names }) => {
    write("a", "newer");
    for (const before of [encode("older"), null]) {
      throws(
        () => writeAtomically(sandbox, `${root}/a`, { bytes: encode("x"), before }),
        (error: unknown) =>
          error instanceof FileWriteError && /changed in this moment/.test(error.message),
      );
    }
    throws(
      () => writeAtomically(sandbox, `${root}/gone`, { bytes: encode("x"), before: encode("y") }),
      /it was removed/,
    );
    equal(read("a"), "newer");
    deepEqual(names(), ["a"]);
    await Promise.resolve();
  }));

Deno.test({
  name: "writeAtomically() refuses when a folder on the way has become a link",
  ...POSIX,
  fn: () =>
    withWorkspace(async ({ sandbox, root }) => {
      const canonical = await sandbox.validateForWrite("new/a");
      Deno.symlinkSync("..", `${root}/new`);
      throws(
        () => writeAtomically(sandbox, canonical, { bytes: encode("x"), before: null }),
        /was replaced/,
      );
      deepEqual([...Deno.readDirSync(`${root}/..`)].map(({ name }) => name), ["root"]);
    }),
});

Deno.test("B86 withPathLock() runs calls for one path one after the other, in order", async () => {
  const order: string[] = [];
  const { signal } = new AbortController();
  const call = (path: string, name: string) =>
    withPathLock(path, {
      signal,
      body: async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        order.push(`${name} out`);
      },
    });
  await Promise.all([call("/A/x", "1"), call("/a/X", "2"), call("/a/x", "3")]);
  deepEqual(order, ["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"]);
});

Deno.test("withPathLock() goes on after a failure and after a waiter gave up", async () => {
  const controller = new AbortController();
  const { signal } = new AbortController();
  const gate = Promise.withResolvers<void>();
  const first = withPathLock("/p", { signal, body: () => gate.promise });
  const second = withPathLock("/p", { signal: controller.signal, body: () => Promise.resolve() });
  const third = withPathLock("/p", {
    signal,
    body: () => Promise.reject(new FileWriteError("no")),
  });
  const fourth = withPathLock("/p", { signal, body: () => Promise.resolve("done") });
  controller.abort(new FileWriteError("stopped"));
  await rejects(second, /stopped/);
  let early = false;
  const failed = rejects(third.finally(() => early = true), /no/);
  await Promise.resolve();
  equal(early, false);
  gate.resolve();
  await Promise.all([first, failed]);
  match(await fourth, /done/);
});
