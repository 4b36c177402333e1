import { type Flag, FLAGS } from "./flags.ts";

const INTRO = `rho: a headless coding agent that speaks JSON-RPC 2.0 on stdin and stdout.

Usage:
  rho [flags]        serve requests, one JSON value a line, until the input ends
  rho run [-f file | -] <prompt>
                     one turn for scripts: the reply on stdout; see rho run --help
  rho demo [--rpc]   show a whole turn with a scripted model: no network, no configuration
  rho trust [--list | --all | paths]
                     review the files of a project that would change how rho behaves
  rho ext init <name> | check <path>
                     write a starter of an extension; say what is wrong with one
  rho sessions [list | show | export | delete | prune]
                     find, read and remove sessions; see rho sessions --help
  rho doctor         say what was found here and what is wrong with it
  rho completions <bash|zsh|fish|powershell>
  rho schema         print the protocol as an OpenRPC document

Flags:`;

const OUTRO = `Example:
  echo '{"jsonrpc":"2.0","method":"prompt","params":{"message":"hello"},"id":1}' |
    rho --endpoint http://localhost:1234/v1/chat/completions --model qwen3-8b

Exit codes: 0 input ended, 1 start failed, 2 bad flags, 3 consent missing, 130 SIGINT, 143 SIGTERM.`;

/** The help page. */
export function helpPage(): string {
  const rows = FLAGS.map((flag: Flag) => ({ head: flagHead(flag), summary: flag.summary }));
  const width = Math.max(...rows.map(({ head }) => head.length));
  const lines = rows.map(({ head, summary }) => `  ${head.padEnd(width)}  ${summary}`);
  return [INTRO, ...lines, "", OUTRO, ""].join("\n");
}

function flagHead(flag: Flag): string {
  const short = flag.short === undefined ? "    " : `-${flag.short}, `;
  return `${short}--${flag.name}${flag.value === undefined ? "" : ` <${flag.value}>`}`;
}
