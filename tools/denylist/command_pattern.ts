import { programName } from "./program_name.ts";

/**
 * A rule about commands as a person writes it: `curl`, `mkfs*`, `git push`, `git push --force`,
 * `rm -r -f`, `-Recurse -Force`. The words must stand in this order behind global options; flags may
 * stand anywhere and in any spelling.
 */
export interface CommandPattern {
  /** As it was written; names the rule. */
  readonly label: string;
  /** The program, lower case, `*` for any text; absent when flags alone count. */
  readonly name?: RegExp;
  /** The words behind it. */
  readonly words: readonly RegExp[];
  /** The flags, each in its own spelling. */
  readonly flags: readonly string[];
}

/** Global options that take a value, by program. */
const GLOBAL_VALUES: Readonly<Record<string, readonly string[]>> = {
  git: ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env"],
  cargo: ["-Z", "-C", "--color", "--config"],
  docker: ["-H", "-c", "-l", "--host", "--context", "--config", "--log-level"],
  podman: ["-c", "--connection", "--url", "--log-level"],
  kubectl: ["-n", "-s", "--namespace", "--context", "--kubeconfig", "--server", "--cluster"],
  npm: ["-w", "-C", "--prefix", "--workspace"],
  pnpm: ["-C", "-F", "--dir", "--filter"],
  gh: ["-R", "--repo"],
  make: ["-C", "-f", "-I"],
  helm: ["-n", "--namespace", "--kube-context"],
  aws: ["--profile", "--region", "--output"],
};

/** Short names of PowerShell's commands for files. */
const FILE_ALIASES: ReadonlySet<string> = new Set([
  "copy",
  "cpi",
  "del",
  "erase",
  "gci",
  "mi",
  "move",
  "rd",
  "ri",
  "rm",
  "rmdir",
]);

/** Flags that mean the same. */
const SAME_FLAGS: Readonly<Record<string, string>> = {
  "-r": "--recursive",
  "-R": "--recursive",
  "-f": "--force",
};

/** Reads a rule; the words may also come one by one. */
export function parsePattern(rule: string | readonly string[]): CommandPattern | undefined {
  const parts = (typeof rule === "string" ? rule.trim().split(/\s+/) : [...rule])
    .filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  const label = parts.join(" ");
  const plain = parts.filter((part) => !part.startsWith("-"));
  const flags = parts.filter((part) => part.startsWith("-")).flatMap(separateFlags);
  const [name, ...words] = plain;
  return {
    label,
    words: words.map((word) => wildcard(word)),
    flags,
    ...(name === undefined ? {} : { name: wildcard(programName(name)) }),
  };
}

/** Whether the arguments of a command fit a rule whose name fits already. */
export function matchesArguments(pattern: CommandPattern, command: readonly string[]): boolean {
  const operandEnd = command.indexOf("--");
  const flagged = operandEnd === -1 ? command.slice(1) : command.slice(1, operandEnd);
  const least = isCmdlet(programName(command[0] ?? "")) ? 2 : 4;
  return pattern.flags.every((flag) =>
    flagged.some((word) => isFlag(word, flag) || isParameterStart(word, { flag, least }))
  ) && matchesWords(pattern.words, command);
}

function matchesWords(wanted: readonly RegExp[], command: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const values = GLOBAL_VALUES[programName(command[0] ?? "")];
  let at = 1;
  let spare = 0;
  let next = 0;
  while (at < command.length) {
    const word = command[at++] ?? "";
    if (word.length > 1 && /^[-+]/.test(word) && !wanted[next]?.test(word)) {
      if (values?.includes(word)) at += 1;
      // What an option of a program means that is not known here may be its value.
      else if (next === 0 && values === undefined) spare += 1;
      continue;
    }
    if (wanted[next]?.test(word)) {
      next += 1;
      if (next === wanted.length) return true;
    } else if (spare > 0 && next === 0) spare -= 1;
    else return false;
  }
  return false;
}

/** `-rf` is `-r` and `-f`; `-Recurse` and `--force` are one flag. */
function separateFlags(flag: string): string[] {
  return /^-[a-zA-Z]{2,3}$/.test(flag)
    ? Array.from(flag.slice(1), (letter) => `-${letter}`)
    : [flag];
}

function isFlag(word: string, flag: string): boolean {
  if (word === flag || word.startsWith(`${flag}=`)) return true;
  if (/^-[a-zA-Z]$/.test(flag)) {
    const long = SAME_FLAGS[flag];
    if (long !== undefined && (word === long || isStartOf(word, long))) return true;
    const letters = flag === "-r" ? "rR" : flag.slice(1);
    return /^-[a-zA-Z0-9]{1,8}$/.test(word) && !isParameter(word) &&
      [...letters].some((letter) => word.includes(letter, 1));
  }
  if (flag.startsWith("--")) {
    return isStartOf(word, flag) ||
      Object.entries(SAME_FLAGS).some(([short, long]) => long === flag && isFlag(word, short));
  }
  return word.toLowerCase().split(":", 1)[0] === flag.toLowerCase();
}

/** PowerShell takes any start of a parameter's name, and `-Recurse:$true`. */
function isParameterStart(
  word: string,
  wanted: { readonly flag: string; readonly least: number },
): boolean {
  const start = word.toLowerCase().split(":", 1)[0] ?? "";
  return /^-[A-Z][a-z]{2}/.test(wanted.flag) && start.length >= wanted.least &&
    wanted.flag.toLowerCase().startsWith(start);
}

/** Whether a program is a command of PowerShell or goes by a name that such commands have there. */
function isCmdlet(name: string): boolean {
  return /^[a-z]+-[a-z]+$/.test(name) || FILE_ALIASES.has(name);
}

/** GNU takes any start of a long option. */
function isStartOf(word: string, long: string): boolean {
  const name = word.split("=", 1)[0] ?? "";
  return name.length >= 3 && name.startsWith("--") && long.startsWith(name);
}

/** Whether a word is a parameter of PowerShell such as `-Force`, not letters of their own. */
function isParameter(word: string): boolean {
  return /^-[A-Z]?[a-z]+$/.test(word) &&
    /^-(?:recu|forc|path|filt|incl|excl|conf|what)/i.test(word);
}

function wildcard(text: string): RegExp {
  const escaped = text.split("*").map((part) =>
    part.replace(/[^\w]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
  );
  return new RegExp(`^${escaped.join("[^]*")}$`, "iu");
}
