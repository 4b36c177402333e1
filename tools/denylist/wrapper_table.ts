import type { OptionSpec } from "./inner_commands.ts";

/** A program whose operands are another command. */
export interface WrapperSpec extends OptionSpec {
  /**
   * Operands in front of the command.
   * @default {0}
   */
  readonly operands?: number;
  /** Whether `NAME=value` may stand in front of the command. */
  readonly assignments?: boolean;
  /** Whether the operands are a script for a shell, joined by blanks. */
  readonly isScript?: boolean;
  /** Options whose value is a script. */
  readonly scriptOptions?: readonly string[];
  /** Words that must stand behind the name, one of them, such as `run` in `uv run`. */
  readonly subcommands?: readonly string[];
  /** Options with which it starts nothing. */
  readonly harmless?: readonly string[];
  /** Whether options may stand behind operands, none of which is a command. */
  readonly isMixed?: boolean;
  /** Whether it runs a shell when no command is given. */
  readonly isShell?: boolean;
}

const PLAIN: WrapperSpec = {};

/** Programs that start other programs, by name. */
export const WRAPPERS: ReadonlyMap<string, WrapperSpec> = new Map<string, WrapperSpec>([
  // The grammar sometimes takes a keyword for the name of a command.
  ...["!", "{", "(", "if", "then", "elif", "else", "while", "until", "do"].map(
    (word): [string, WrapperSpec] => [word, PLAIN],
  ),
  ["env", {
    short: "uCSa",
    long: ["unset", "chdir", "split-string", "argv0"],
    assignments: true,
    scriptOptions: ["-S", "--split-string"],
  }],
  ["sudo", {
    short: "CDghpRrTtUu",
    long: [
      "chdir",
      "chroot",
      "close-from",
      "command-timeout",
      "group",
      "host",
      "other-user",
      "prompt",
      "role",
      "type",
      "user",
    ],
    assignments: true,
  }],
  ["doas", { short: "uCa" }],
  ["pkexec", { long: ["user"] }],
  ["run0", { long: ["user", "group", "unit", "property", "chdir", "setenv", "machine"] }],
  ["su", {
    short: "cgGswTC",
    long: ["command", "group", "supp-group", "shell", "session-command", "whitelist-environment"],
    scriptOptions: ["-c", "--command", "--session-command"],
    isMixed: true,
    isShell: true,
  }],
  ["runuser", {
    short: "cgGsuw",
    long: ["command", "group", "supp-group", "shell", "session-command", "user"],
    scriptOptions: ["-c", "--command", "--session-command"],
    isMixed: true,
  }],
  ["timeout", { short: "ks", long: ["kill-after", "signal"], operands: 1 }],
  ["nice", { short: "n", long: ["adjustment"] }],
  ["nohup", PLAIN],
  ["setsid", PLAIN],
  ["time", { short: "fo", long: ["format", "output"] }],
  ["stdbuf", { short: "ioe", long: ["input", "output", "error"] }],
  ["ionice", { short: "cnpPu", long: ["class", "classdata", "pid", "pgid", "uid"] }],
  ["chrt", {
    short: "TPDp",
    long: ["sched-runtime", "sched-period", "sched-deadline"],
    operands: 1,
  }],
  ["taskset", { operands: 1 }],
  ["numactl", { short: "CNmip", long: ["cpunodebind", "physcpubind", "membind", "interleave"] }],
  ["chroot", { long: ["userspec", "groups"], operands: 1 }],
  ["unshare", { short: "SGRw", long: ["setuid", "setgid", "root", "wd", "map-user", "map-group"] }],
  ["nsenter", { short: "tSGr", long: ["target", "setuid", "setgid"] }],
  ["setpriv", {
    long: ["reuid", "regid", "groups", "securebits", "inh-caps", "bounding-set", "pdeathsig"],
  }],
  ["prlimit", { short: "p", long: ["pid"] }],
  ["systemd-run", {
    short: "pMHuEtd",
    long: ["unit", "property", "uid", "gid", "slice", "machine", "setenv", "working-directory"],
  }],
  ["dbus-run-session", { long: ["config-file", "dbus-daemon"] }],
  ["xvfb-run", { short: "efnpsw", long: ["server-args", "server-num", "error-file", "auth-file"] }],
  ["strace", { short: "abeEIoOpPsSuUX", long: ["output", "trace", "user", "env"] }],
  ["ltrace", { short: "aAeFlnopsuwx", long: ["output"] }],
  ["valgrind", PLAIN],
  ["gdb", { short: "x" }],
  ["firejail", PLAIN],
  ["fakeroot", { short: "lisb" }],
  ["unbuffer", PLAIN],
  ["chronic", PLAIN],
  ["rlwrap", { short: "abcfgHpPSsz" }],
  ["caffeinate", { short: "tw" }],
  ["command", { harmless: ["-v", "-V"] }],
  ["builtin", PLAIN],
  ["exec", { short: "a" }],
  ["coproc", PLAIN],
  ["noglob", PLAIN],
  ["nocorrect", PLAIN],
  ["busybox", { harmless: ["--list", "--help"] }],
  ["toybox", PLAIN],
  ["cross-env", { assignments: true }],
  ["dotenv", { short: "ecvp" }],
  ["entr", PLAIN],
  ["watchexec", {
    short: "wefiosd",
    long: ["watch", "exts", "filter", "ignore", "on-busy-update"],
  }],
  ["wsl", {
    short: "duce",
    long: ["distribution", "user", "cd", "exec"],
    scriptOptions: ["-e", "--exec"],
  }],
  ["watch", { short: "nqs", long: ["interval", "equexit", "shotsdir"], isScript: true }],
  ["flock", {
    short: "wEc",
    long: ["timeout", "wait", "conflict-exit-code", "command"],
    operands: 1,
    scriptOptions: ["-c", "--command"],
  }],
  ["script", {
    short: "cEIoOBmT",
    long: ["command"],
    operands: 1,
    scriptOptions: ["-c", "--command"],
  }],
  ["ssh", { short: "BbcDEeFIiJLlmOopQRSWw", operands: 1, isScript: true }],
  ["hyperfine", {
    short: "wmMrpcsSuLDN",
    long: ["warmup", "min-runs", "max-runs", "runs", "prepare", "setup", "cleanup"],
    isScript: true,
    scriptOptions: ["-p", "--prepare", "--setup", "-c", "--cleanup"],
  }],
  ["concurrently", { short: "nckp", long: ["names", "prefix-colors"], isScript: true }],
  ["nix-shell", {
    short: "pIA",
    long: ["run", "command"],
    isMixed: true,
    scriptOptions: ["--run", "--command"],
  }],
  ["perf", { subcommands: ["stat", "record", "trace"], short: "eoFpC" }],
  ["uv", { subcommands: ["run"], long: ["with", "python", "project", "package", "extra"] }],
  ["poetry", { subcommands: ["run"] }],
  ["pipenv", { subcommands: ["run"] }],
  ["pdm", { subcommands: ["run"] }],
  ["hatch", { subcommands: ["run"] }],
  ["conda", { subcommands: ["run"], short: "np", long: ["name", "prefix", "cwd"] }],
  ["bundle", { subcommands: ["exec"] }],
  ["rbenv", { subcommands: ["exec"] }],
  ["pyenv", { subcommands: ["exec"] }],
  ["asdf", { subcommands: ["exec"] }],
  ["mise", { subcommands: ["exec", "x"] }],
  ["direnv", { subcommands: ["exec"], operands: 1 }],
  ["npm", {
    subcommands: ["exec", "x"],
    short: "c",
    long: ["call"],
    scriptOptions: ["-c", "--call"],
  }],
  ["npx", { short: "pc", long: ["package", "call"], scriptOptions: ["-c", "--call"] }],
  ["pnpm", { subcommands: ["exec", "dlx"], short: "c" }],
  ["yarn", { subcommands: ["exec", "dlx"] }],
]);
