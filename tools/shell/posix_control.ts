import { findProgram } from "./find_program.ts";
import type { Launch, ProcessControl, WrapOptions } from "./process_control.ts";
import { listGroup } from "./list_group.ts";

const WATCHER_NAME = "rho-watch";

/**
 * The wrapper around every command. It leaves a watcher behind that reads a pipe from rho (fd 3)
 * and kills the group as soon as rho writes a line or is gone, then becomes the command itself.
 *
 * - The watcher is started by a child that ends at once: were it a child of the command, programs
 *   that wait for all their children would never end.
 * - It ignores the signals that end a group politely, so it is there until the last member is gone.
 * - When rho is gone (no line), the rest of the session is killed as well, where /proc tells, in
 *   passes that find what was just being started, and the file with the standard input is removed.
 * - `$$` is the wrapper's id in subshells too, and so the id of the group.
 */
const WATCH = `f=$1; shift; exec 3<&0; ( ( trap '' HUP INT TERM; cd /; read -r x <&3; ` +
  `if [ -z "$x" ]; then [ "$f" = /dev/null ] || rm -f -- "$f"; ` +
  `{ read -r l </proc/self/stat; } 2>/dev/null; me=\${l%% *}; ` +
  `for n in 1 2 3; do for s in /proc/[0-9]*/stat; do ` +
  `{ read -r l <"$s"; } 2>/dev/null || continue; p=\${l%% *}; set -- \${l##*) }; ` +
  `[ "$4" = $$ ] && [ "$p" != "$me" ] && kill -9 "$p"; done; done; fi; ` +
  `kill -9 -$$ ) >/dev/null 2>&1 & ); exec "$@" <"$f" 3<&-`;

/** Passes over the process table that look for processes started while others were killed. */
const MAX_KILL_PASSES = 4;

/** Process groups, sessions and signals. */
export function posixControl(): ProcessControl {
  return {
    isWatched: true,
    wrap: wrapPosix,
    terminate: (leader) => signalGroup(leader, "SIGTERM"),
    kill: killGroup,
    members: async (leader, options) => {
      const entries = await listGroup(leader, options);
      return entries.filter(({ commandLine }) => !isWatcher(commandLine)).map(({ pid }) => pid);
    },
  };
}

/** The wrapper with a command inside. It must be started detached, with a pipe as stdin. */
export function wrapPosix(launch: Launch, options: WrapOptions): Launch {
  return {
    program: findProgram("sh", { env: { PATH: Deno.env.get("PATH") ?? "" } }) ?? "/bin/sh",
    args: [
      "-c",
      options.mergeStreams ? `${WATCH} 2>&1` : WATCH,
      WATCHER_NAME,
      options.stdinPath ?? "/dev/null",
      launch.program,
      ...launch.args,
    ],
  };
}

function isWatcher(commandLine: string): boolean {
  return commandLine.includes(WATCH) && commandLine.includes(WATCHER_NAME);
}

async function signalGroup(leader: number, signal: Deno.Signal): Promise<void> {
  send(-leader, signal);
  for (const { pid, group } of await listGroup(leader)) {
    if (group !== leader) send(pid, signal);
  }
}

async function killGroup(leader: number): Promise<void> {
  for (let pass = 0; pass < MAX_KILL_PASSES; pass++) {
    const entries = await listGroup(leader);
    if (entries.length === 0 && pass > 0) return;
    send(-leader, "SIGKILL");
    for (const { pid, group } of entries) {
      if (group !== leader) send(pid, "SIGKILL");
    }
  }
}

function send(target: number, signal: Deno.Signal): void {
  try {
    Deno.kill(target, signal);
  } catch {
    // Gone already, or not ours to end (a command under sudo).
  }
}
