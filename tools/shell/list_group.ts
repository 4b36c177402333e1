/** One process as far as ending it goes. */
export interface ProcessEntry {
  readonly pid: number;
  /** The id of its process group. */
  readonly group: number;
  /** The id of its session; 0 where the system does not tell. */
  readonly session: number;
  /** The command line, arguments apart from each other by blanks or NUL; `""` when unknown. */
  readonly commandLine: string;
}

/** Options of {@linkcode listGroup}. */
export interface ListGroupOptions {
  /**
   * The group was started a moment ago: only processes with later ids are looked at, which saves
   * most of the work. Wrapped-around ids are noticed.
   * @default {false}
   */
  readonly isRecent?: boolean;
}

const HAS_PROC = Deno.build.os === "linux" || Deno.build.os === "android";
const PS_ARGS = ["-A", "-o", "pid=,pgid=,stat=,command="];

/**
 * The living processes of a group, and where the system tells (Linux) also those that left the
 * group but not its session, as everything does that `timeout` or a job-control shell starts.
 *
 * @param leader The process id of the group's leader.
 */
export async function listGroup(
  leader: number,
  options: ListGroupOptions = {},
): Promise<ProcessEntry[]> {
  const all = HAS_PROC ? readProc(leader, options) : parsePs(await runPs());
  return all.filter(({ group, session }) => group === leader || session === leader);
}

/** Reads one line of `/proc/<pid>/stat`; `undefined` for a process that has ended. */
export function parseStat(line: string): Omit<ProcessEntry, "commandLine"> | undefined {
  // The name in parentheses may hold anything, so count from its end.
  const [state, , group, session] = line.slice(line.lastIndexOf(")") + 2).split(" ", 4);
  const pid = Number.parseInt(line, 10);
  if (state === undefined || "ZXx".includes(state) || Number.isNaN(pid)) return undefined;
  return { pid, group: Number(group), session: Number(session) };
}

/** Reads the output of `ps -A -o pid=,pgid=,stat=,command=`. */
export function parsePs(output: string): ProcessEntry[] {
  return output.split("\n").flatMap((line) => {
    const [pid, group, state, ...words] = line.trim().split(/\s+/);
    if (group === undefined || state === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), group: Number(group), session: 0, commandLine: words.join(" ") }];
  });
}

function readProc(leader: number, options: ListGroupOptions): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  const least = options.isRecent && newestPid() >= leader ? leader : 0;
  for (const pid of processIds()) {
    if (pid < least) continue;
    const stat = parseStat(readProcFile(pid, "stat"));
    if (stat === undefined || (stat.group !== leader && stat.session !== leader)) continue;
    found.push({ ...stat, commandLine: readProcFile(pid, "cmdline") });
  }
  return found;
}

function processIds(): number[] {
  try {
    const names = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name));
    return names.filter((pid) => pid > 0);
  } catch {
    // Without /proc only the group itself can be signalled.
    return [];
  }
}

function newestPid(): number {
  try {
    return Number(Deno.readTextFileSync("/proc/loadavg").trim().split(" ").at(-1));
  } catch {
    return 0;
  }
}

function readProcFile(pid: number, name: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${name}`);
  } catch {
    // It ended between the listing and the reading.
    return "";
  }
}

async function runPs(): Promise<string> {
  try {
    const ps = new Deno.Command("ps", { args: PS_ARGS, stdin: "null", stderr: "null" });
    return new TextDecoder().decode((await ps.output()).stdout);
  } catch {
    return "";
  }
}
