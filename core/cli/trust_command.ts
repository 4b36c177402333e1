import { createLogger, type Logger } from "../base/log.ts";
import { isAbsolutePath, joinPath } from "../base/paths.ts";
import { encodeUtf8, makeVisible } from "../base/text.ts";
import { loadSettings } from "../config/load_settings.ts";
import { rhoHome, userHome } from "../config/rho_home.ts";
import { realPathOrUndefined } from "../security/path_probe.ts";
import { type PendingFile, pendingTrust } from "../security/pending_trust.ts";
import { TrustStore } from "../security/trust_store.ts";
import type { AppIo } from "./app_io.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { projectFolder } from "./project_folder.ts";

/** What `rho trust` is told. */
export interface TrustArguments {
  /** `--list`: only say what waits. */
  readonly list: boolean;
  /** `--all`: trust everything that waits. */
  readonly all: boolean;
  /** Files to trust without a question, relative to the working directory. */
  readonly paths: readonly string[];
  /** `--root`. */
  readonly root?: string;
}

/** What `rho trust` needs of the process around it. */
export interface TrustIo extends AppIo {
  /** Whether a person answers on stdin. @default {false} */
  readonly isTerminal?: boolean;
}

/** A reviewed configuration can name further files, and those are the end of it. */
const MAX_ROUNDS = 8;

/**
 * `rho trust`: shows each file of the project that waits for a review and asks whether it shall
 * count.
 *
 * @returns the exit code: 1 when nothing could be decided.
 * @throws {StartupError|ConfigError|TrustStoreError} with what to do.
 */
export async function runTrustCommand(args: TrustArguments, io: TrustIo): Promise<number> {
  return await new TrustCommand(args, io).run();
}

class TrustCommand {
  readonly #args: TrustArguments;
  readonly #io: TrustIo;
  readonly #logger: Logger;
  readonly #home: string | undefined;
  readonly #root: string;
  readonly #store: TrustStore;

  constructor(args: TrustArguments, io: TrustIo) {
    const env = (name: string) => io.env[name];
    const logger = createLogger({ write: io.stderr });
    const home = userHome(env);
    this.#args = args;
    this.#io = io;
    this.#logger = logger;
    this.#home = rhoHome(env);
    this.#root = projectFolder({
      cwd: io.cwd,
      logger,
      ...(args.root === undefined ? {} : { root: args.root }),
      ...(home === undefined ? {} : { home }),
    });
    this.#store = new TrustStore({
      home: this.#home,
      onWarning: (message) => logger.warn(message),
    });
  }

  async run(): Promise<number> {
    const { list, all, paths } = this.#args;
    const pending = await this.#pending();
    if (paths.length > 0) return await this.#trustPaths(pending);
    if (pending.length === 0) {
      await this.#print("Nothing waits for a review\n");
      return EXIT_CODES.ok;
    }
    if (list) {
      await this.#printList(pending);
      return EXIT_CODES.ok;
    }
    if (all) return await this.#trustAll();
    if (this.#io.isTerminal === true) return await this.#askAll();
    await this.#printList(pending);
    this.#logger.error(
      "Nobody can be asked here; run rho trust in a terminal, or name the files or --all",
    );
    return EXIT_CODES.startFailed;
  }

  /** With the settings as they are now: a reviewed configuration can name further files. */
  async #pending(): Promise<readonly PendingFile[]> {
    const root = this.#root;
    const store = this.#store;
    const { settings } = await loadSettings({ home: this.#home, root, store });
    return await pendingTrust({ root, settings, store });
  }

  async #trustPaths(pending: readonly PendingFile[]): Promise<number> {
    const byPath = new Map(pending.map((file) => [canonical(file.path), file]));
    const wanted = this.#args.paths.map((path) => ({
      path,
      file: byPath.get(canonical(isAbsolutePath(path) ? path : joinPath(this.#io.cwd, path))),
    }));
    await this.#trust(wanted.flatMap(({ file }) => file ?? []));
    const unknown = wanted.filter(({ file }) => file === undefined);
    for (const { path } of unknown) {
      this.#logger.error(
        `Cannot trust "${path}": it does not wait for a review; see rho trust --list`,
      );
    }
    return unknown.length === 0 ? EXIT_CODES.ok : EXIT_CODES.startFailed;
  }

  async #trustAll(): Promise<number> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const files = await this.#pending();
      if (files.length === 0) return EXIT_CODES.ok;
      await this.#trust(files);
    }
    this.#logger.error("Cannot trust everything: files keep changing; try again");
    return EXIT_CODES.startFailed;
  }

  async #askAll(): Promise<number> {
    const answers = lines(this.#io.stdin);
    const asked = new Set<string>();
    for (;;) {
      const next = (await this.#pending()).find((file) => !asked.has(file.path));
      if (next === undefined) break;
      asked.add(next.path);
      await this.#print(`${this.#shown(next)} (${next.kind})\n${quoted(next.text)}`);
      await this.#print("Trust this file? [y/N] ");
      const { value, done } = await answers.next();
      if (done === true) {
        await this.#print("\n");
        break;
      }
      if (/^\s*y(?:es)?\s*$/i.test(value)) await this.#trust([next]);
      else await this.#print(`Left out ${this.#shown(next)}\n`);
    }
    await answers.return(undefined);
    return EXIT_CODES.ok;
  }

  async #trust(files: readonly PendingFile[]): Promise<void> {
    await this.#store.trust(files);
    for (const file of files) await this.#print(`Trusted ${this.#shown(file)}\n`);
  }

  async #printList(pending: readonly PendingFile[]): Promise<void> {
    for (const file of pending) {
      await this.#print(`${file.kind.padEnd(9)} ${file.sha256} ${this.#shown(file)}\n`);
    }
  }

  /** A file's path relative to the root, safe to print. */
  #shown(file: PendingFile): string {
    return makeVisible(file.path.slice(this.#root.length + 1));
  }

  async #print(text: string): Promise<void> {
    const bytes = encodeUtf8(text);
    for (let at = 0; at < bytes.length;) at += await this.#io.stdout.write(bytes.subarray(at));
  }
}

/** A text as a quotation, so that none of its lines can pass for rho's own. */
function quoted(text: string): string {
  return makeVisible(text).replace(/\n$/, "").split("\n").map((line) => `| ${line}\n`).join("");
}

function canonical(path: string): string {
  return realPathOrUndefined(path) ?? path;
}

/** The lines of a terminal, without their ends. */
async function* lines(input: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
  return undefined;
}
