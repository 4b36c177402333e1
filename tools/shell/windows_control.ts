import type { ProcessControl } from "./process_control.ts";

/** The arguments of `taskkill` that end a process and everything below it. */
export function taskkillArguments(pid: number): string[] {
  return ["/PID", String(pid), "/T", "/F"];
}

/**
 * Process trees on Windows. There is no polite way to end a console program from outside, so both
 * steps force; processes whose parent has ended are out of reach, and nothing watches rho itself.
 *
 * @param runTaskkill Runs `taskkill` with arguments and waits for it.
 */
export function windowsControl(
  runTaskkill: (args: string[]) => Promise<void> = runSystemTaskkill,
): ProcessControl {
  const kill = (leader: number) => runTaskkill(taskkillArguments(leader));
  return {
    isWatched: false,
    wrap: (launch) => launch,
    terminate: kill,
    kill,
    members: () => Promise.resolve([]),
  };
}

async function runSystemTaskkill(args: string[]): Promise<void> {
  const folder = Deno.env.get("SystemRoot") ?? "C:\\Windows";
  const taskkill = new Deno.Command(`${folder}\\System32\\taskkill.exe`, {
    args,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  });
  try {
    await taskkill.output();
  } catch {
    // Without taskkill the tree cannot be ended; the caller goes on after its deadline.
  }
}
