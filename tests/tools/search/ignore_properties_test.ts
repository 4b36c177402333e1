import { deepEqual } from "node:assert/strict";
import fc from "fast-check";
import { SandboxRoot } from "../../../core/security/sandbox.ts";
import { newTally, walkFiles } from "../../../tools/search/file_walker.ts";

/** What git itself would list: untracked and not ignored. */
function gitFiles(folder: string): string[] {
  const { stdout, stderr, success } = new Deno.Command("git", {
    args: ["-C", folder, "ls-files", "-z", "--others", "--exclude-standard"],
    env: gitEnv(),
  }).outputSync();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  const names = new TextDecoder().decode(stdout).split("\0").filter((name) => name !== "");
  return names.sort();
}

function gitEnv(): Record<string, string> {
  return { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", XDG_CONFIG_HOME: "/nowhere" };
}

async function ourFiles(root: string, folder = root): Promise<string[]> {
  const sandbox = await SandboxRoot.open(root);
  const walk = walkFiles(sandbox, { canonical: folder, tally: newTally() });
  return [...walk].map(({ path }) => path).sort();
}

function inRepository(body: (root: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rho-ignore-" }));
    try {
      new Deno.Command("git", { args: ["init", "-q", root], env: gitEnv() }).outputSync();
      await body(root);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  };
}

function write(root: string, path: string, text = "x"): void {
  const file = `${root}/${path}`;
  try {
    Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    Deno.writeTextFileSync(file, text);
  } catch {
    // A file stands where a folder is wanted, or the other way round; fewer files do no harm.
  }
}

const NAMES = [
  "a",
  "b",
  "ab",
  "abc",
  "a.b",
  "b.a",
  "é",
  "a b",
  "[a]",
  "a\\b",
  "*a",
  ".c",
  "-",
  "#x",
  "!x",
  "x ",
];
const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

const part = fc.oneof(
  { weight: 4, arbitrary: name },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "*",
      "**",
      "***",
      "?",
      "a*",
      "*b",
      "a**",
      "**b",
      "a**b",
      "*.b",
      "[ab]",
      "[!a]",
      "[^a]",
      "[a-c]*",
      "[]a]",
      "[[:alpha:]]",
      "[[:nope:]]",
      "[a",
      "\\a",
      "\\*a",
      "\\[a\\]",
      "a\\\\b",
      "??",
      "*a*b*",
      "[a/b]",
      "{a,b}",
      "[\\]a]",
      "[c-a]",
      "[a-]",
      "a\\",
      "x\\ ",
      "[[:space:]]",
      "*[.]*",
    ),
  },
);
const rule = fc.tuple(
  fc.constantFrom("", "", "", "!", "/", "!/", "**/", "\\!", "#", "\\#"),
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
  fc.constantFrom("", "", "", "/", "/**", "/*", " ", "  ", "\\ ", "\r", "\t", "//"),
).map((parts) => parts.join(""));
const ignoreFile = fc.record({
  folder: fc.oneof(fc.constant(""), path.map((folder) => `${folder}/`)),
  rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
  ending: fc.constantFrom("\n", "", "\r\n"),
});

Deno.test(
  "walkFiles() lists what git lists, whatever the ignore files hold",
  inRepository(async (root) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(path, { minLength: 1, maxLength: 25 }),
        fc.array(ignoreFile, { maxLength: 4 }),
        fc.array(rule, { maxLength: 2 }),
        async (paths, ignoreFiles, excluded) => {
          for (const entry of Deno.readDirSync(root)) {
            if (entry.name !== ".git") {
              Deno.removeSync(`${root}/${entry.name}`, { recursive: true });
            }
          }
          for (const each of paths) write(root, each);
          for (const { folder, rules, ending } of ignoreFiles) {
            write(root, `${folder}.gitignore`, rules.join("\n") + ending);
          }
          Deno.writeTextFileSync(`${root}/.git/info/exclude`, excluded.join("\n"));
          deepEqual(await ourFiles(root), gitFiles(root));
        },
      ),
      { numRuns: Number(Deno.env.get("RUNS") ?? 150) },
    );
  }),
);
