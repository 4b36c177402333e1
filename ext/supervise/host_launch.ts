import { NODE_BUILTINS } from "./node_builtins.ts";

/** Addresses that answer with a machine's own credentials in a cloud; no extension reaches them. */
const METADATA_ADDRESSES = ["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal"];

/** What a host inherits of rho's environment: how to reach the network, and Deno's own folders. */
const PASSED_ENV = [
  ..."HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy".split(
    " ",
  ),
  ..."DENO_DIR HOME XDG_CACHE_HOME DENO_CERT DENO_TLS_CA_STORE SSL_CERT_FILE SSL_CERT_DIR".split(
    " ",
  ),
  ..."SystemRoot LOCALAPPDATA USERPROFILE DENO_COVERAGE_DIR".split(" "),
];

/** How to start a host. */
export interface HostLaunch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Options of {@linkcode hostLaunch}. */
export interface HostLaunchOptions {
  /** rho's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The most heap that any worker may have, in MB: the last wall. */
  readonly maxHeapMb: number;
}

/**
 * How a host is started: from its own file, from the one file that rho was bundled into, or as a
 * hidden command of the compiled binary.
 */
export function hostLaunch(options: HostLaunchOptions): HostLaunch {
  const env: Record<string, string> = { DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1" };
  for (const name of PASSED_ENV) {
    const value = options.env[name];
    if (value !== undefined) env[name] = value;
  }
  const program = Deno.execPath();
  if (Deno.build.standalone) return { program, args: ["__ext-host"], env };
  const isBundled = !import.meta.url.endsWith("/ext/supervise/host_launch.ts");
  const entry = isBundled
    ? [Deno.mainModule, "__ext-host"]
    : [new URL("../host/main.ts", import.meta.url).href];
  return { program, args: [...flags(options.maxHeapMb), ...entry], env };
}

function flags(maxHeapMb: number): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--allow-net",
    `--deny-net=${METADATA_ADDRESSES.join(",")}`,
    "--deny-import",
    "--no-remote",
    "--no-npm",
    "--cached-only",
    "--unstable-worker-options",
    `--import-map=${importMapUrl()}`,
    `--v8-flags=--disallow-code-generation-from-strings,--max-old-space-size=${maxHeapMb}`,
  ];
}

/** An import map, as a `data:` URL, in which every module of Node throws. */
function importMapUrl(): string {
  const blocked = "data:text/javascript,throw%20new%20TypeError(%22Node%20is%20not%20here%22)";
  const names = NODE_BUILTINS.flatMap((name) => [name, `node:${name}`]);
  const imports = Object.fromEntries(names.map((name) => [name, blocked]));
  return `data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`;
}
