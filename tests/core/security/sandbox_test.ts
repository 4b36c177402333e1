import { deepEqual, equal, match, ok, rejects, throws } from "node:assert/strict";
import fc from "fast-check";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { SandboxError } from "../../../core/security/sandbox_error.ts";

const LINKS = { ignore: Deno.build.os === "windows" };

/** A root with one file, beside a folder that no path may reach. */
async function withRoot(
  body: (place: { readonly sandbox: SandboxRoot; readonly base: string }) => Promise<void>,
): Promise<void> {
  const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rho sandbox ü " }));
  try {
    Deno.mkdirSync(`${base}/root/src`, { recursive: true });
    Deno.mkdirSync(`${base}/outside`);
    Deno.writeTextFileSync(`${base}/root/src/a.ts`, "a\n");
    Deno.writeTextFileSync(`${base}/outside/secret`, "secret\n");
    await body({ sandbox: await SandboxRoot.open(`${base}/root`), base });
  } finally {
    Deno.removeSync(base, { recursive: true });
  }
}

function refusal(code: string, message: RegExp) {
  return (error: unknown) => {
    ok(error instanceof SandboxError);
    equal(error.code, code, error.message);
    match(error.message, message);
    return true;
  };
}

Deno.test("SandboxRoot.validate() resolves relative, dotted and absolute paths", () =>
  withRoot(async ({ sandbox, base }) => {
    const file = `${base}/root/src/a.ts`;
    for (const path of ["src/a.ts", "./src//a.ts", "x/../src/a.ts", file, "../root/src/a.ts"]) {
      equal(await sandbox.validate(path), file, path);
    }
    equal(await sandbox.validate("."), `${base}/root`);
    equal(sandbox.relative(file), "src/a.ts");
    equal(sandbox.relative(sandbox.root), ".");
  }));

Deno.test("SandboxRoot refuses every path outside with the root and the accepted form", () =>
  withRoot(async ({ sandbox, base }) => {
    for (
      const path of [
        "..",
        "../outside/secret",
        "src/../../outside/secret",
        "/etc/passwd",
        "/nope/nothing",
        "@/etc/passwd",
        `${base}/root2`,
        `${base}/outside/none`,
        "/",
        "/root/.ssh/id_rsa",
      ]
    ) {
      const check = refusal(
        "sandbox_refused",
        /outside the root; give a path relative to ".*\/root"/,
      );
      await rejects(sandbox.validate(path), check, path);
      await rejects(sandbox.validateForWrite(path), check, path);
    }
  }));

Deno.test("SandboxRoot tells nothing about what exists outside", () =>
  withRoot(async ({ sandbox, base }) => {
    const message = async (path: string) => {
      const error: unknown = await sandbox.validate(path).catch((caught: unknown) => caught);
      return error instanceof SandboxError ? error.message.replace(path, () => "") : "";
    };
    equal(await message(`${base}/outside/secret`), await message(`${base}/outside/absent`));
    equal(await message(`${base}/outside/secret/x`), await message(`${base}/outside/absent`));
  }));

Deno.test({
  name: "B133 SandboxRoot looks at nothing behind a link that leads out",
  ...LINKS,
  fn: () =>
    withRoot(async ({ sandbox, base }) => {
      Deno.symlinkSync(`${base}/outside`, `${base}/root/out`);
      Deno.symlinkSync(`${base}/outside`, `${base}/root/Gru\u0308n`);
      const refused = refusal("sandbox_refused", /"out" is a link to ".*", outside the root/);
      for (const path of ["out/secret", "out/secert", "out/absent", "out/secret/x"]) {
        await rejects(sandbox.validate(path), refused, path);
        await rejects(sandbox.validateForWrite(path), refused, path);
      }
      const messages = await Promise.all(["secert", "secret", "absent"].map(async (name) => {
        const path = `Gr\u00fcn/${name}`;
        const error: unknown = await sandbox.validate(path).catch((caught: unknown) => caught);
        return error instanceof SandboxError ? error.message.replace(path, () => "") : "";
      }));
      equal(new Set(messages).size, 1, messages.join("\n"));
      ok(!messages.join().includes("secret"));
    }),
});

Deno.test("SandboxRoot refuses empty paths and NUL", () =>
  withRoot(async ({ sandbox }) => {
    for (const path of ["", "src/a.ts\0.png"]) {
      await rejects(sandbox.validate(path), refusal("sandbox_refused", /Cannot use/));
      await rejects(sandbox.validateForWrite(path), refusal("sandbox_refused", /Cannot use/));
    }
  }));

Deno.test({
  name: "B133 SandboxRoot refuses links out of the root and names where they point",
  ...LINKS,
  fn: () =>
    withRoot(async ({ sandbox, base }) => {
      const root = `${base}/root`;
      Deno.writeTextFileSync(`${base}/out.txt`, "");
      Deno.symlinkSync("../out.txt", `${root}/a`);
      Deno.symlinkSync("..", `${root}/d`);
      Deno.symlinkSync("../not-yet.txt", `${root}/new`);
      Deno.symlinkSync("a", `${root}/chain`);
      Deno.symlinkSync(`${base}/outside`, `${root}/absolute`);
      const table: readonly [string, RegExp][] = [
        ["a", /"a" is a link to "\.\.\/out\.txt", outside the root/],
        ["d", /"d" is a link to "\.\.", outside/],
        ["d/out.txt", /"d" is a link to "\.\.", outside/],
        ["d/root/../outside/secret", /outside/],
        ["new", /"new" is a link to "\.\.\/not-yet\.txt", which does not exist/],
        ["chain", /"chain" is a link to "a", outside the root/],
        ["absolute/secret", /"absolute" is a link to ".*\/outside", outside the root/],
      ];
      for (const [path, message] of table) {
        await rejects(sandbox.validate(path), refusal("sandbox_refused", message), path);
        await rejects(sandbox.validateForWrite(path), refusal("sandbox_refused", message), path);
      }
      for (const path of ["d/brand-new", "absolute/brand-new", "absolute/x/y", "new/x"]) {
        await rejects(
          sandbox.validateForWrite(path),
          refusal("sandbox_refused", /is a link to/),
          path,
        );
      }
      equal(await Deno.stat(`${base}/not-yet.txt`).catch(() => undefined), undefined);
    }),
});

Deno.test({
  name: "B133 SandboxRoot follows links that stay inside, also back in through the outside",
  ...LINKS,
  fn: () =>
    withRoot(async ({ sandbox, base }) => {
      const root = `${base}/root`;
      Deno.symlinkSync("src", `${root}/inner`);
      Deno.symlinkSync("../root/src/a.ts", `${root}/round`);
      Deno.symlinkSync("inner/a.ts", `${root}/two`);
      for (const path of ["inner/a.ts", "round", "two"]) {
        equal(await sandbox.validate(path), `${root}/src/a.ts`);
        equal(await sandbox.validateForWrite(path), `${root}/src/a.ts`);
      }
      equal(await sandbox.validateForWrite("inner/new.ts"), `${root}/src/new.ts`);
    }),
});

Deno.test({
  name: "B133 SandboxRoot works when the root itself is a link",
  ...LINKS,
  fn: () =>
    withRoot(async ({ base }) => {
      Deno.symlinkSync("root", `${base}/link`);
      const sandbox = await SandboxRoot.open(`${base}/link`);
      equal(sandbox.root, `${base}/root`);
      equal(await sandbox.validate(`${base}/link/src/a.ts`), `${base}/root/src/a.ts`);
      equal(await sandbox.validate(`${base}/root/src/a.ts`), `${base}/root/src/a.ts`);
      equal(await sandbox.validateForWrite(`${base}/link/src/b.ts`), `${base}/root/src/b.ts`);
      await rejects(sandbox.validate(`${base}/link/../outside/secret`), SandboxError);
    }),
});

Deno.test({
  name: "SandboxRoot refuses links in a circle and dangling links inside",
  ...LINKS,
  fn: () =>
    withRoot(async ({ sandbox, base }) => {
      Deno.symlinkSync("loop2", `${base}/root/loop1`);
      Deno.symlinkSync("loop1", `${base}/root/loop2`);
      Deno.symlinkSync("src/later.ts", `${base}/root/dangling`);
      await rejects(sandbox.validate("loop1"), refusal("sandbox_refused", /circle/));
      await rejects(sandbox.validateForWrite("loop1/x"), refusal("sandbox_refused", /circle/));
      const check = refusal("sandbox_refused", /link to "src\/later\.ts", which does not exist/);
      await rejects(sandbox.validateForWrite("dangling"), check);
      await rejects(sandbox.validate("dangling"), check);
    }),
});

Deno.test("SandboxRoot.validateForWrite() gives paths whose folders do not exist yet", () =>
  withRoot(async ({ sandbox, base }) => {
    equal(await sandbox.validateForWrite("x/y/z.ts"), `${base}/root/x/y/z.ts`);
    equal(await sandbox.validateForWrite("src/a.ts"), `${base}/root/src/a.ts`);
    equal(await sandbox.validateForWrite("./src/../b ü.ts"), `${base}/root/b ü.ts`);
  }));

Deno.test("SandboxRoot.validateForWrite() refuses tricks in the part that does not exist", () =>
  withRoot(async ({ sandbox }) => {
    for (
      const path of ["x/../y", "x/../../outside/y", "x/.../y", "x./y", "src/b.ts.", "src/b ", "b\n"]
    ) {
      await rejects(sandbox.validateForWrite(path), refusal("sandbox_refused", /Cannot use/), path);
    }
    await rejects(
      sandbox.validateForWrite("src/a.ts/b"),
      refusal("not_a_folder", /"src\/a\.ts" is a file, not a folder/),
    );
  }));

Deno.test("SandboxRoot.validate() names near matches of a missing path", () =>
  withRoot(async ({ sandbox }) => {
    await rejects(
      sandbox.validate("src/b.ts"),
      refusal("not_found", /Cannot find "src\/b\.ts" \(did you mean "src\/a\.ts"\?\); paths are/),
    );
    await rejects(sandbox.validate("srx/a.ts"), refusal("not_found", /did you mean "src\/a\.ts"/));
    await rejects(sandbox.validate("nothing"), refusal("not_found", /Cannot find "nothing";/));
    const error: unknown = await sandbox.validate("srx/a.ts").catch((caught: unknown) => caught);
    ok(error instanceof SandboxError);
    deepEqual(error.data, { near: ["src/a.ts"] });
  }));

Deno.test("B91 SandboxRoot takes the literal path first, then without a leading @", () =>
  withRoot(async ({ sandbox, base }) => {
    equal(await sandbox.validate("@src/a.ts"), `${base}/root/src/a.ts`);
    equal(await sandbox.validateForWrite("@src/a.ts"), `${base}/root/src/a.ts`);
    equal(await sandbox.validateForWrite("@src/new.ts"), `${base}/root/src/new.ts`);
    equal(await sandbox.validateForWrite("@types/new.ts"), `${base}/root/@types/new.ts`);
    equal(await sandbox.validateForWrite("@new.ts"), `${base}/root/@new.ts`);
    Deno.mkdirSync(`${base}/root/@src`);
    Deno.writeTextFileSync(`${base}/root/@src/a.ts`, "");
    equal(await sandbox.validate("@src/a.ts"), `${base}/root/@src/a.ts`);
  }));

Deno.test("B91 SandboxRoot finds names with other spaces or another composition", () =>
  withRoot(async ({ sandbox, base }) => {
    const shot = "Screenshot 10.15.00\u202fAM.png";
    const nfd = "Gru\u0308n.txt";
    Deno.mkdirSync(`${base}/root/${nfd}.d`);
    for (const name of [shot, nfd, `${nfd}.d/x`]) {
      Deno.writeTextFileSync(`${base}/root/${name}`, "");
    }
    equal(await sandbox.validate("Screenshot 10.15.00 AM.png"), `${base}/root/${shot}`);
    equal(await sandbox.validate("Gr\u00fcn.txt"), `${base}/root/${nfd}`);
    equal(await sandbox.validate("@Gr\u00fcn.txt.d/x"), `${base}/root/${nfd}.d/x`);
    equal(await sandbox.validateForWrite("Gr\u00fcn.txt.d/new"), `${base}/root/${nfd}.d/new`);
    Deno.writeTextFileSync(`${base}/root/Screenshot 10.15.00\u00a0AM.png`, "");
    await rejects(sandbox.validate("Screenshot 10.15.00 AM.png"), refusal("not_found", /mean/));
  }));

Deno.test("B91 SandboxRoot does not expand ~ but finds a name that has one", () =>
  withRoot(async ({ sandbox, base }) => {
    for (const path of ["~", "~/x", "~root/x"]) {
      await rejects(
        sandbox.validate(path),
        refusal("sandbox_refused", /"~" is not expanded/),
        path,
      );
      await rejects(sandbox.validateForWrite(path), refusal("sandbox_refused", /"~" is/), path);
    }
    equal(await sandbox.validateForWrite("~backup"), `${base}/root/~backup`);
    Deno.mkdirSync(`${base}/root/~`);
    Deno.writeTextFileSync(`${base}/root/~/x`, "");
    equal(await sandbox.validate("~/x"), `${base}/root/~/x`);
  }));

Deno.test("SandboxRoot.open() says what is wrong with a root", () =>
  withRoot(async ({ base }) => {
    await rejects(SandboxRoot.open(`${base}/none`), refusal("not_found", /does not exist/));
    await rejects(SandboxRoot.open(`${base}/outside/secret`), refusal("not_a_folder", /no folder/));
  }));

Deno.test("SandboxRoot.openFile() opens regular files only", () =>
  withRoot(async ({ sandbox, base }) => {
    const file = sandbox.openFile(`${base}/root/src/a.ts`);
    file.close();
    throws(
      () => sandbox.openFile(`${base}/root/src`),
      refusal("not_a_file", /folder; use list_dir/),
    );
    throws(() => sandbox.openFile(`${base}/root/none`), refusal("not_found", /Cannot find "none"/));
    if (Deno.build.os === "windows") return;
    await new Deno.Command("mkfifo", { args: [`${base}/root/fifo`] }).output();
    throws(
      () => sandbox.openFile(`${base}/root/fifo`),
      refusal("not_a_file", /pipe, socket or device/),
    );
  }));

Deno.test({
  name: "SandboxRoot notices a link that was put in place after the check",
  ...LINKS,
  fn: () =>
    withRoot(async ({ sandbox, base }) => {
      const checked = await sandbox.validate("src/a.ts");
      const created = await sandbox.validateForWrite("src/new/b.ts");
      sandbox.verify(checked);
      sandbox.verify(created);
      Deno.renameSync(`${base}/root/src`, `${base}/root/old`);
      Deno.writeTextFileSync(`${base}/outside/a.ts`, "stolen");
      Deno.symlinkSync(`${base}/outside`, `${base}/root/src`);
      throws(() => sandbox.verify(checked), refusal("changed", /was replaced/));
      throws(() => sandbox.verify(created), refusal("changed", /was replaced/));
      throws(() => sandbox.openFile(checked), refusal("changed", /was replaced/));
      Deno.removeSync(`${base}/root/src`);
      Deno.mkdirSync(`${base}/root/src`);
      Deno.symlinkSync(`${base}/outside/a.ts`, `${base}/root/src/a.ts`);
      throws(() => sandbox.openFile(checked), refusal("changed", /was replaced/));
    }),
});

Deno.test({
  name: "SandboxRoot never gives out a path outside, whatever the parts",
  ...LINKS,
  fn: () =>
    withRoot(async ({ sandbox, base }) => {
      const root = `${base}/root`;
      Deno.symlinkSync("..", `${root}/up`);
      Deno.symlinkSync("src", `${root}/in`);
      Deno.symlinkSync(`${base}/outside`, `${root}/src/out`);
      Deno.symlinkSync("nowhere", `${root}/src/dead`);
      const part = fc.constantFrom(
        ...["..", ".", "", "src", "a.ts", "up", "in", "out", "dead", "root", "outside", "secret"],
        ...["@src", "~", "new", "x.", "\0", base.slice(1)],
      );
      const path = fc.tuple(
        fc.constantFrom("", "/", "@", `${base}/`),
        fc.array(part, { maxLength: 8 }),
      )
        .map(([start, parts]) => start + parts.join("/"));
      await fc.assert(
        fc.asyncProperty(path, async (text) => {
          for (const check of [sandbox.validate(text), sandbox.validateForWrite(text)]) {
            const given: unknown = await check.catch((error: unknown) => error);
            if (typeof given !== "string") {
              ok(given instanceof SandboxError, String(given));
              continue;
            }
            ok(given === root || given.startsWith(`${root}/`), given);
            ok(!given.split("/").includes(".."));
            sandbox.verify(given);
          }
        }),
        { numRuns: 500 },
      );
    }),
});
