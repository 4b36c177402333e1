import { baseName, joinPath, parentPath } from "../../core/base/paths.ts";
import type { SandboxRoot } from "../../core/security/sandbox.ts";
import { outermostFolder } from "./git_folder.ts";
import { IgnoreScope } from "./ignore_scope.ts";

/**
 * The ignore rules for the content of a folder that a call names. Rules count from the start of the
 * repository around it, which may lie above the root. A folder that those rules leave out was asked
 * for all the same: then only the rules inside it count.
 */
export function scopeOf(sandbox: SandboxRoot, folder: string): IgnoreScope {
  const top = outermostFolder(sandbox.root);
  const names: string[] = [];
  for (let at = folder; at !== top && at !== parentPath(at); at = parentPath(at)) {
    names.unshift(baseName(at));
  }
  let at = top;
  let scope = IgnoreScope.outermost(top);
  for (const name of names) {
    at = joinPath(at, name);
    scope = scope.ignores(name, true)
      ? IgnoreScope.outermost(at)
      : scope.enter(name, { folder: at, names: { has: () => true } });
  }
  return scope;
}
