import { joinPath } from "../base/paths.ts";

/** Reads an environment variable. */
export type ReadEnv = (name: string) => string | undefined;

/** The user's home directory, when the environment tells it. */
export function userHome(env: ReadEnv): string | undefined {
  return Deno.build.os === "windows" ? env("USERPROFILE") ?? env("HOME") : env("HOME");
}

/** Where rho keeps its files: `RHO_HOME`, else `.rho` in the user's home directory. */
export function rhoHome(env: ReadEnv): string | undefined {
  const override = env("RHO_HOME");
  if (override !== undefined && override !== "") return override;
  const home = userHome(env);
  return home === undefined ? undefined : joinPath(home, ".rho");
}
