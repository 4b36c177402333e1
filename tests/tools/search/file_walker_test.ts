import { deepEqual, equal } from "node:assert/strict";
import { newTally, walkFiles } from "../../../tools/search/file_walker.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { withWorkspace, type Workspace } from "../files/_workspace.ts";

function walked({ sandbox, root }: Workspace, folder = ""): string[] {
  const canonical = folder === "" ? root : `${root}/${folder}`;
  return [...walkFiles(sandbox, { canonical, tally: newTally() })].map(({ path }) => path);
}

function repository(root: string): void {
  Deno.mkdirSync(`${root}/.git/info`, { recursive: true });
  Deno.writeTextFileSync(`${root}/.git/HEAD`, "ref: refs/heads/main\n");
}

Deno.test("B97 walkFiles() goes into hidden folders, not into .git", () =>
  withWorkspace((space) => {
    repository(space.root);
    space.write(".github/workflows/x.yml", "");
    space.write(".hidden", "");
    deepEqual(walked(space), [".github/workflows/x.yml", ".hidden"]);
    return Promise.resolve();
  }));

Deno.test("B98 walkFiles() skips heavy folders that nothing ignores, unless the call names one", () =>
  withWorkspace((space) => {
    for (const folder of ["node_modules", "target", ".venv", "dist"]) {
      space.write(`${folder}/x`, "");
      space.write(`a/${folder}/x`, "");
    }
    space.write("a/b", "");
    deepEqual(walked(space), ["a/b"]);
    deepEqual(walked(space, "node_modules"), ["node_modules/x"]);
    return Promise.resolve();
  }));

Deno.test("B95 walkFiles() leaves secret files out and counts them", () =>
  withWorkspace((space) => {
    for (const path of [".env", ".env.d/a", "id_rsa", "K.PEM", ".npmrc", ".env.example", "a"]) {
      space.write(path, "");
    }
    const tally = newTally();
    const found = [...walkFiles(space.sandbox, { canonical: space.root, tally })];
    deepEqual(found.map(({ path }) => path), [".env.example", "a"]);
    deepEqual(tally, { files: 2, secrets: 5, unreadable: 0 });
    return Promise.resolve();
  }));

Deno.test({
  name: "B133 walkFiles() follows no links, so it neither leaves the root nor runs in circles",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withWorkspace((space) => {
      space.write("in/a", "");
      Deno.symlinkSync("..", `${space.root}/out`);
      Deno.symlinkSync(".", `${space.root}/in/loop`);
      Deno.symlinkSync("in/a", `${space.root}/file`);
      deepEqual(walked(space), ["in/a"]);
      return Promise.resolve();
    }),
});

Deno.test("walkFiles() lets .ignore win over .gitignore, deeper files over higher ones", () =>
  withWorkspace((space) => {
    space.write(".gitignore", "*.log\n");
    space.write(".ignore", "!keep.log\n/gone\n");
    space.write("keep.log", "");
    space.write("other.log", "");
    space.write("gone", "");
    space.write("a/.gitignore", "!*.log\n");
    space.write("a/x.log", "");
    space.write("a/.ignore", "x.*\n");
    space.write("b/.gitignore", "!y.log\n");
    space.write("b/y.log", "");
    deepEqual(walked(space), [
      ".gitignore",
      ".ignore",
      "a/.gitignore",
      "a/.ignore",
      "b/.gitignore",
      "b/y.log",
      "keep.log",
    ]);
    return Promise.resolve();
  }));

Deno.test("walkFiles() starts afresh in a repository inside another one", () =>
  withWorkspace((space) => {
    repository(space.root);
    space.write(".git/info/exclude", "excluded\n");
    space.write("excluded", "");
    space.write(".gitignore", "*.o\n");
    space.write("x.o", "");
    repository(`${space.root}/sub`);
    space.write("sub/x.o", "");
    space.write("sub/excluded", "");
    deepEqual(walked(space), [".gitignore", "sub/excluded", "sub/x.o"]);
    deepEqual(walked(space, "sub"), ["sub/excluded", "sub/x.o"]);
    return Promise.resolve();
  }));

Deno.test("walkFiles() obeys the repository around the root, and the exclude file of a work tree", () =>
  withWorkspace(async (space) => {
    space.write("repo/HEAD", "ref: refs/heads/main\n");
    space.write("repo/info/exclude", "excluded\n");
    space.write("repo/worktrees/w/HEAD", "ref: refs/heads/w\n");
    space.write("repo/worktrees/w/commondir", "../..\n");
    space.write("w/.git", `gitdir: ${space.root}/repo/worktrees/w\n`);
    space.write("w/.gitignore", "/p/q/gone\nbuilt/\n");
    for (const name of ["gone", "excluded", "here", "built/x"]) space.write(`w/p/q/${name}`, "");
    const sandbox = await SandboxRoot.open(`${space.root}/w/p`);
    const list = (folder: string) =>
      [...walkFiles(sandbox, { canonical: folder, tally: newTally() })].map(({ path }) => path);
    deepEqual(list(sandbox.root), ["q/here"]);
    // A folder that is ignored is searched when a call names it.
    deepEqual(list(`${sandbox.root}/q/built`), ["q/built/x"]);
  }));

Deno.test("walkFiles() lives with folders that vanish and names that are no Unicode", () =>
  withWorkspace((space) => {
    space.write("a/b", "");
    space.write("c", "");
    const tally = newTally();
    const walk = walkFiles(space.sandbox, { canonical: `${space.root}/gone`, tally });
    equal([...walk].length, 0);
    equal(tally.unreadable, 1);
    return Promise.resolve();
  }));
