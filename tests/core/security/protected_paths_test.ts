import { equal, match } from "node:assert/strict";
import {
  isSecretPath,
  protectedWriteReason,
  secretReadReason,
} from "../../../core/security/protected_paths.ts";
import { SandboxRoot } from "../../../core/security/sandbox.ts";

const POSIX = { ignore: Deno.build.os === "windows" };

async function withRoot(
  body: (sandbox: SandboxRoot, root: string) => Promise<void>,
): Promise<void> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "rho protected " }));
  try {
    await body(await SandboxRoot.open(root), root);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

const PROTECTED = [
  ".git/config",
  ".git/hooks/pre-commit",
  ".git",
  ".GIT/config",
  ".Git/hooks/x",
  ".g\u200cit/config",
  "vendor/lib/.git/config",
  "@.git/config",
  "./.git/../.git/config",
  ".rho/config.toml",
  ".rho/CONFIG.toml",
  ".rho/extensions/a.ts",
  ".rho/extensions/deep/a.ts",
  "sub/.rho/config.toml",
];

const FREE = [
  ".gitignore",
  ".github/workflows/ci.yml",
  "git/config",
  "src/.gitkeep",
  ".rho/memory.db",
  ".rho/config.toml.md",
  "rho/extensions/a.ts",
  "src/config.toml",
];

Deno.test("protectedWriteReason() guards git's and rho's own files under every spelling", () =>
  withRoot(async (sandbox, root) => {
    Deno.mkdirSync(`${root}/.git`);
    for (const given of PROTECTED) {
      const target = { given, canonical: await sandbox.validateForWrite(given) };
      match(protectedWriteReason(sandbox, target) ?? "", /needs a person's approval/, given);
      const absolute = { given: target.canonical, canonical: target.canonical };
      match(protectedWriteReason(sandbox, absolute) ?? "", /approval/, given);
    }
    for (const given of FREE) {
      const target = { given, canonical: await sandbox.validateForWrite(given) };
      equal(protectedWriteReason(sandbox, target, { rhoHome: `${root}/none` }), undefined, given);
    }
  }));

Deno.test({
  name: "protectedWriteReason() follows links to and from the protected places",
  ...POSIX,
  fn: () =>
    withRoot(async (sandbox, root) => {
      Deno.mkdirSync(`${root}/storage/hooks`, { recursive: true });
      Deno.symlinkSync("storage", `${root}/.git`);
      Deno.symlinkSync(".git", `${root}/innocent`);
      for (const given of ["storage/config", "storage/hooks/x", ".git/x", "innocent/x"]) {
        const target = { given, canonical: await sandbox.validateForWrite(given) };
        match(protectedWriteReason(sandbox, target) ?? "", /approval/, given);
      }
    }),
});

Deno.test("protectedWriteReason() guards all of rho's folder when it is inside the root", () =>
  withRoot(async (sandbox, root) => {
    Deno.mkdirSync(`${root}/home/.rho`, { recursive: true });
    const rhoHome = `${root}/home/.rho`;
    for (const given of ["home/.rho/trusted.toml", "home/.rho/sessions/x", "home/.rho"]) {
      const target = { given, canonical: await sandbox.validateForWrite(given) };
      match(protectedWriteReason(sandbox, target, { rhoHome }) ?? "", /approval/, given);
    }
    const target = { given: "home/a", canonical: `${root}/home/a` };
    equal(protectedWriteReason(sandbox, target, { rhoHome }), undefined);
    equal(protectedWriteReason(sandbox, target, { rhoHome: root })?.includes("approval"), true);
  }));

Deno.test("B95 isSecretPath() knows the names that usually hold secrets", () => {
  const secret = [
    ".env",
    ".env.local",
    "a/.env",
    ".envrc",
    ".ENV",
    "key.pem",
    "certs/A.PEM",
    "id_rsa",
  ];
  const more = ["id_ed25519.pub", "x/.netrc", ".npmrc", ".envs/production", ".env.example/x/.env"];
  for (const path of [...secret, ...more]) equal(isSecretPath(path), true, path);
  const open = [
    ".env.example",
    "a/.env.example",
    "env",
    "my.env",
    "pem",
    "a.pem.ts",
    "id",
    "void_x",
  ];
  for (const path of [...open, "netrc", "npmrc", "src/identity.ts"]) {
    equal(isSecretPath(path), false, path);
  }
});

Deno.test({
  name: "secretReadReason() counts both the name given and the one it leads to",
  ...POSIX,
  fn: () =>
    withRoot(async (sandbox, root) => {
      Deno.writeTextFileSync(`${root}/plain`, "");
      Deno.writeTextFileSync(`${root}/.npmrc`, "");
      Deno.symlinkSync("plain", `${root}/.env`);
      Deno.symlinkSync(".npmrc", `${root}/notes.txt`);
      for (const given of [".env", "notes.txt", "@.env", `${root}/.env`, ".npmrc"]) {
        const target = { given, canonical: await sandbox.validate(given) };
        match(secretReadReason(sandbox, target) ?? "", /usually holds secrets/, given);
      }
      const plain = { given: "plain", canonical: `${root}/plain` };
      equal(secretReadReason(sandbox, plain), undefined);
    }),
});
