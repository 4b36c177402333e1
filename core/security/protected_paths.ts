import { joinPath } from "../base/paths.ts";
import { rhoHome } from "../config/rho_home.ts";
import { isInside, splitPath } from "./path_rules.ts";
import { NATIVE_RULES, realPathOrUndefined } from "./path_probe.ts";
import type { SandboxRoot } from "./sandbox.ts";

/**
 * Characters that HFS+ ignores in names: `.g\u200cit` opens `.git` there (CVE-2014-9390), so they
 * are dropped before names are compared.
 */
const IGNORED_REGEXP = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Places below the root that stay protected under whatever other name a link gives them. */
const LINKABLE = [[".git"], [".rho", "config.toml"], [".rho", "extensions"]] as const;

/** A path as a tool got it and as the sandbox resolved it; both count. */
export interface TargetPath {
  /** As the model wrote it. */
  readonly given: string;
  /** Canonical and inside the root. */
  readonly canonical: string;
}

/** Options of {@linkcode protectedWriteReason}. */
export interface ProtectedWriteOptions {
  /** Where rho keeps its own files. @default {RHO_HOME, else .rho in the home folder} */
  readonly rhoHome?: string;
}

/**
 * Why a write needs a person's approval whatever the policy says, or `undefined`: the inside of
 * `.git` (hooks and configuration run code), `.rho/config.toml` and `.rho/extensions/` at any
 * depth, and everything in rho's own folder. Names are compared without case everywhere, because
 * asking once too often costs less than finding out how a file system compares.
 */
export function protectedWriteReason(
  sandbox: SandboxRoot,
  target: TargetPath,
  options: ProtectedWriteOptions = {},
): string | undefined {
  const shown = sandbox.relative(target.canonical);
  const spellings = [shown, relativeText(sandbox, target.given)];
  if (spellings.some((path) => isProtectedName(path.split("/").map(comparable)))) {
    return protectedMessage(shown);
  }
  const folders = LINKABLE.map((names) => joinPath(sandbox.root, ...names));
  const home = options.rhoHome ?? rhoHome((name) => Deno.env.get(name));
  if (home !== undefined) folders.push(home);
  const hit = folders.some((folder) => {
    const real = realPathOrUndefined(folder);
    return real !== undefined && isInside(real, target.canonical, NATIVE_RULES);
  });
  return hit ? protectedMessage(shown) : undefined;
}

/**
 * Why reading a file needs a person's approval, or `undefined`: `.env*` except `.env.example`,
 * `*.pem`, `id_*`, `.netrc` and `.npmrc` usually hold secrets. A file below a folder `.env*` counts
 * too.
 */
export function secretReadReason(sandbox: SandboxRoot, target: TargetPath): string | undefined {
  const shown = sandbox.relative(target.canonical);
  const spellings = [shown, relativeText(sandbox, target.given)];
  return spellings.some(isSecretPath)
    ? `"${shown}" usually holds secrets; reading it needs a person's approval`
    : undefined;
}

/** Whether a path relative to a root, with forward slashes, usually holds secrets. */
export function isSecretPath(relativePath: string): boolean {
  const names = relativePath.split("/").map(comparable);
  const last = names.at(-1) ?? "";
  return names.some((name) => name.startsWith(".env") && name !== ".env.example") ||
    last.endsWith(".pem") || last.startsWith("id_") || last === ".netrc" || last === ".npmrc";
}

function isProtectedName(names: readonly string[]): boolean {
  return names.some((name, index) =>
    name === ".git" ||
    (name === ".rho" && (names[index + 1] === "extensions" ||
      (names[index + 1] === "config.toml" && names.length === index + 2)))
  );
}

function protectedMessage(shown: string): string {
  return `"${shown}" can change what git or rho runs; writing it needs a person's approval`;
}

/** A name as careless file systems compare it. */
function comparable(name: string): string {
  return name.replace(IGNORED_REGEXP, "").replace(/[. ]+$/, "").normalize("NFC").toLowerCase();
}

/** What a model wrote, without a leading `@`, the root's own path and backslashes. */
function relativeText(sandbox: SandboxRoot, given: string): string {
  const path = given.startsWith("@") ? given.slice(1) : given;
  if (isInside(sandbox.root, path, NATIVE_RULES)) return sandbox.relative(path);
  return splitPath(path, NATIVE_RULES).names.join("/");
}
