import TYPES from "./types/rho.d.ts" with { type: "text" };
import { joinPath } from "../core/base/paths.ts";

/**
 * Puts the types for authors into rho's home, where extensions find them as `../types/rho.d.ts`,
 * when there are none or older ones. A home that cannot be written has no types, and no harm done.
 */
export function copyTypes(home: string | undefined): void {
  if (home === undefined) return;
  const folder = joinPath(home, "types");
  const path = joinPath(folder, "rho.d.ts");
  try {
    if (readOrEmpty(path) === TYPES) return;
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(path, TYPES);
  } catch {
    // An editor shows fewer hints then.
  }
}

function readOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
