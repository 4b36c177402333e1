/** A real rho: `main.ts` in a process of its own, with everything it says recorded. */

import { joinPath } from "../../core/base/paths.ts";
import {
  type NotificationMap,
  type NotificationName,
  RpcClient,
  RpcClosedError,
  type RpcNotification,
} from "../../core/rpc/client.ts";

/** The program's entry. */
export const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** How the tests start deno on the entry. */
export const RUN_ARGS: readonly string[] = ["run", "-A", "--no-prompt", MAIN];

/** Options of {@linkcode SpawnedRho.start}. */
export interface SpawnedRhoOptions {
  readonly args?: readonly string[];
  /** The project folder; a new temporary one by default. */
  readonly project?: string;
  /** `RHO_HOME`; a new temporary one by default. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The environment that a spawned rho gets: nothing of the tests' own but what deno needs. */
export function rhoEnv(home: string, more: Readonly<Record<string, string>> = {}) {
  const kept = ["PATH", "HOME", "DENO_DIR", "XDG_CACHE_HOME", "TMPDIR", "DENO_COVERAGE_DIR"];
  const env = Object.fromEntries(
    kept.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return { ...env, RHO_HOME: home, NO_COLOR: "1", ...more };
}

/** Makes a temporary folder whose name has a space and an umlaut, canonical. */
export async function tempFolder(prefix: string): Promise<string> {
  return await Deno.realPath(await Deno.makeTempDir({ prefix: `rho ${prefix} ü ` }));
}

/** One rho and its client. */
export class SpawnedRho implements AsyncDisposable {
  readonly client: RpcClient;
  readonly project: string;
  readonly home: string;
  /** Every line of stdout, as it came. */
  readonly lines: string[];
  readonly notifications: RpcNotification[];
  readonly #stderr: Promise<string>;
  readonly #owned: readonly string[];
  readonly #listeners: Set<() => void>;
  #isClosed = false;

  private constructor(parts: {
    client: RpcClient;
    project: string;
    home: string;
    lines: string[];
    notifications: RpcNotification[];
    stderr: Promise<string>;
    owned: readonly string[];
    listeners: Set<() => void>;
  }) {
    this.client = parts.client;
    this.project = parts.project;
    this.home = parts.home;
    this.lines = parts.lines;
    this.notifications = parts.notifications;
    this.#stderr = parts.stderr;
    this.#owned = parts.owned;
    this.#listeners = parts.listeners;
    this.client.closed.finally(() => {
      this.#isClosed = true;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Starts rho in a project of its own. */
  static async start(options: SpawnedRhoOptions = {}): Promise<SpawnedRho> {
    const owned: string[] = [];
    const folder = async (given: string | undefined, prefix: string) => {
      if (given !== undefined) return given;
      const made = await tempFolder(prefix);
      owned.push(made);
      return made;
    };
    const project = await folder(options.project, "project");
    const home = await folder(options.home, "home");
    const lines: string[] = [];
    const notifications: RpcNotification[] = [];
    const listeners = new Set<() => void>();
    const client = RpcClient.spawn({
      command: Deno.execPath(),
      args: [...RUN_ARGS, "--root", project, ...(options.args ?? [])],
      cwd: project,
      env: rhoEnv(home, options.env),
      clearEnv: true,
      stderr: "piped",
      onLine: (line) => lines.push(line),
      onNotification: (notification) => {
        notifications.push(notification);
        for (const listener of [...listeners]) listener();
      },
    });
    const stderr = new Response(client.process?.stderr).text();
    return new SpawnedRho({
      client,
      project,
      home,
      lines,
      notifications,
      stderr,
      owned,
      listeners,
    });
  }

  /** The params of all notifications of a method so far. */
  of<Name extends NotificationName>(method: Name): NotificationMap[Name][] {
    return this.notifications.filter((found) => found.method === method)
      .map((found) => found.params) as NotificationMap[Name][];
  }

  /** The first notification of a method, past or future, that is accepted. */
  async waitFor<Name extends NotificationName>(
    method: Name,
    accepts: (params: NotificationMap[Name]) => boolean = () => true,
  ): Promise<NotificationMap[Name]> {
    for (;;) {
      const found = this.of(method).find(accepts);
      if (found !== undefined) return found;
      if (this.#isClosed) throw new RpcClosedError();
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  /** Writes a file of the project. */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(joinPath(this.project, name), bytes);
  }

  /** The text of a file of the project. */
  async read(name: string): Promise<string> {
    return await Deno.readTextFile(joinPath(this.project, name));
  }

  /** Ends the input and waits for rho's end. */
  async end(): Promise<{ code: number; stderr: string }> {
    const status = await this.client.close();
    return { code: status?.code ?? -1, stderr: await this.#stderr };
  }

  /** Waits for rho's end without ending its input. */
  async exited(): Promise<{ code: number; stderr: string }> {
    const status = await this.client.process?.status;
    await this.client.closed;
    await this.client.endInput();
    return { code: status?.code ?? -1, stderr: await this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.client.process?.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
    await this.client.close();
    await this.#stderr;
    for (const folder of this.#owned) await Deno.remove(folder, { recursive: true });
  }
}
