import { isPackageName } from "./choose_package.ts";

/** The cargo subcommands that have a tool. */
export type CargoCommand = "check" | "clippy" | "test" | "fix";

/** What a judgement found. */
export type ArgsJudgement =
  | { readonly ok: true; readonly writes: boolean }
  | { readonly ok: false; readonly message: string };

const FLAGS = words(
  "--lib --bins --examples --tests --benches --all-targets --workspace --all --all-features " +
    "--no-default-features --release -r --keep-going --offline --locked --frozen " +
    "--ignore-rust-version --verbose -v -vv --quiet -q --future-incompat-report --timings",
);

const VALUES = words(
  "--package -p --exclude --bin --example --test --bench --features -F --target --profile " +
    "--jobs -j",
);

const VCS_FLAGS = ["--allow-dirty", "--allow-staged", "--allow-no-vcs"];

const OWN_FLAGS: Readonly<Record<CargoCommand, ReadonlySet<string>>> = {
  check: new Set(),
  clippy: new Set(["--no-deps", "--fix", ...VCS_FLAGS]),
  test: new Set(["--no-run", "--no-fail-fast", "--doc"]),
  fix: new Set(["--edition", "--edition-idioms", "--broken-code", ...VCS_FLAGS]),
};

const LINT_FLAGS = words("-A -W -D -F --allow --warn --deny --forbid --cap-lints");
const LINT_REGEXP = /^[a-z][a-z0-9_:-]*$/i;
const PLAIN_REGEXP = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** Options of the test harness that write elsewhere or take away the output that is parsed. */
const REFUSED_OF_TESTS = words("--logfile --format -Z");

/**
 * Judges what a model wants to add to a cargo command. Only arguments that choose packages,
 * targets, features, lints and tests are let through: a configuration, another manifest, toolchain
 * or target folder would change what is run, and these tools run unasked after the first time.
 */
export function judgeCargoArgs(command: CargoCommand, args: readonly string[]): ArgsJudgement {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const passedOn = end < 0 ? [] : args.slice(end + 1);
  const wrong = args.find((arg) => arg.includes("\0")) ?? wrongOwn(command, own) ??
    wrongPassedOn(command, passedOn);
  if (wrong === undefined) return { ok: true, writes: own.includes("--fix") };
  return {
    ok: false,
    message: `"args" of cargo_${command} must not hold ${JSON.stringify(wrong)}: ` +
      "only arguments that choose packages, targets, features, lints or tests may; " +
      "leave it out, or use run_command, which is asked for each time",
  };
}

function wrongOwn(command: CargoCommand, args: readonly string[]): string | undefined {
  let names = 0;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (FLAGS.has(arg) || OWN_FLAGS[command].has(arg)) continue;
    if (!arg.startsWith("-")) {
      if (command !== "test" || arg.startsWith("+") || ++names > 1) return arg;
      continue;
    }
    const option = splitOption(arg);
    if (option === undefined) return arg;
    const value = option.value ?? args[++i];
    if (value === undefined || !isGoodValue(option.name, value)) {
      return value === undefined ? arg : `${option.name} ${value}`;
    }
  }
  return undefined;
}

/** `--name`, `--name=value`, `-n`, `-nvalue` of an option that takes a value. */
function splitOption(arg: string): { name: string; value?: string } | undefined {
  if (VALUES.has(arg)) return { name: arg };
  const equals = arg.indexOf("=");
  if (arg.startsWith("--")) {
    if (equals < 0 || !VALUES.has(arg.slice(0, equals))) return undefined;
    return { name: arg.slice(0, equals), value: arg.slice(equals + 1) };
  }
  const name = arg.slice(0, 2);
  if (!VALUES.has(name)) return undefined;
  return { name, value: arg.slice(arg[2] === "=" ? 3 : 2) };
}

function isGoodValue(name: string, value: string): boolean {
  switch (name) {
    case "--package":
    case "-p":
    case "--exclude":
      return isPackageName(value);
    case "--target":
      // A file can describe a target, linker included.
      return PLAIN_REGEXP.test(value) && !value.endsWith(".json");
    case "--profile":
    case "--jobs":
    case "-j":
      return PLAIN_REGEXP.test(value);
    default:
      return value !== "" && !value.startsWith("-");
  }
}

function wrongPassedOn(command: CargoCommand, args: readonly string[]): string | undefined {
  switch (command) {
    case "test":
      return args.find((arg) => REFUSED_OF_TESTS.has(arg.split("=")[0] ?? "") || /^-Z/.test(arg));
    case "clippy":
      return wrongLint(args);
    case "check":
    case "fix":
      return args[0];
  }
}

function wrongLint(args: readonly string[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const equals = arg.indexOf("=");
    const [name, value] = LINT_FLAGS.has(arg)
      ? [arg, args[++i]]
      : arg.startsWith("--") && equals > 0
      ? [arg.slice(0, equals), arg.slice(equals + 1)]
      : [arg.slice(0, 2), arg.slice(2)];
    if (!LINT_FLAGS.has(name) || value === undefined || !LINT_REGEXP.test(value)) return arg;
  }
  return undefined;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
