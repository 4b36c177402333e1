import { errorMessage, RhoError, StartupError, unreachable } from "../base/errors.ts";
import { createLogger, type Logger, SILENT_LOGGER } from "../base/log.ts";
import { isAbsolutePath, joinPath } from "../base/paths.ts";
import { encodeUtf8 } from "../base/text.ts";
import { rhoHome, userHome } from "../config/rho_home.ts";
import { Redactor } from "../security/redactor.ts";
import { exportSession } from "../../sessions/export.ts";
import { FileStore } from "../../sessions/file_store.ts";
import { parseSessionFileName, sessionsFolder } from "../../sessions/files/project_folder.ts";
import { SessionError } from "../../sessions/session_error.ts";
import type { SessionSummary } from "../../sessions/session_store.ts";
import { writeExport } from "../../sessions/write_export.ts";
import type { AppIo } from "./app_io.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { projectFolder } from "./project_folder.ts";
import { prunableSessions } from "./prunable_sessions.ts";
import { sessionFacts, sessionPage } from "./session_page.ts";
import {
  parseSessionsArguments,
  SESSIONS_HELP,
  type SessionsAction,
  type SessionsArguments,
} from "./sessions_arguments.ts";
import { sessionsTable } from "./sessions_table.ts";

type ActionOf<Type extends SessionsAction["type"]> = Extract<SessionsAction, { type: Type }>;

/**
 * `rho sessions`: lists, shows, exports and removes sessions.
 *
 * @param args What follows the word "sessions".
 * @returns the exit code: 1 when something asked for could not be done.
 * @throws {UsageError|StartupError|SessionError} with one line that says what to do.
 */
export async function runSessionsCommand(args: readonly string[], io: AppIo): Promise<number> {
  return await new SessionsCommand(parseSessionsArguments(args), io).run();
}

class SessionsCommand {
  readonly #args: SessionsArguments;
  readonly #io: AppIo;
  readonly #logger: Logger;

  constructor(args: SessionsArguments, io: AppIo) {
    this.#args = args;
    this.#io = io;
    this.#logger = createLogger({ write: io.stderr });
  }

  async run(): Promise<number> {
    const { action } = this.#args;
    switch (action.type) {
      case "help":
        await this.#print(SESSIONS_HELP);
        return EXIT_CODES.ok;
      case "list":
        return await this.#list(action);
      case "show":
        return await this.#show(action);
      case "export":
        return await this.#export(action);
      case "delete":
        return await this.#delete(action);
      case "prune":
        return await this.#prune(action);
      default:
        return unreachable(action);
    }
  }

  async #list({ all, json }: ActionOf<"list">): Promise<number> {
    const sessions = await this.#sessions(all);
    if (json) await this.#printJson({ sessions });
    else if (sessions.length === 0) {
      await this.#print(
        all
          ? "No sessions yet\n"
          : "No sessions of this project yet; --all shows every project's\n",
      );
    } else await this.#print(sessionsTable(sessions, { nowMs: Date.now(), withFolder: all }));
    return EXIT_CODES.ok;
  }

  async #show({ session: wanted, json }: ActionOf<"show">): Promise<number> {
    const store = this.#store();
    const path = await store.pathOf(wanted);
    const session = await store.read(path);
    if (json) await this.#printJson(sessionFacts(session, path));
    else await this.#print(sessionPage(session, path));
    return EXIT_CODES.ok;
  }

  async #export({ session: wanted, format, output }: ActionOf<"export">): Promise<number> {
    const text = exportSession(await this.#store().read(wanted), { format });
    if (output === undefined) {
      await this.#print(text);
      return EXIT_CODES.ok;
    }
    const path = isAbsolutePath(output) ? output : joinPath(this.#io.cwd, output);
    await writeExport(path, text, { sessionsFolder: sessionsFolder(this.#home()) });
    await this.#print(`Exported to ${path}\n`);
    return EXIT_CODES.ok;
  }

  async #delete({ session: wanted, json }: ActionOf<"delete">): Promise<number> {
    const store = this.#store();
    const path = await store.pathOf(wanted);
    const id = parseSessionFileName(path)?.id ?? wanted;
    // A short start of an id is one slip away from another session.
    if (path !== wanted && id !== wanted && !wanted.endsWith(`${id}.jsonl`)) {
      throw new SessionError(
        "session_ambiguous",
        `Cannot delete session "${wanted}": the whole id is needed; did you mean "${id}"?`,
        { data: { id: wanted, candidates: [id] } },
      );
    }
    await store.remove(path);
    if (json) await this.#printJson({ removed: [path] });
    else await this.#print(`Deleted session ${id}\n`);
    return EXIT_CODES.ok;
  }

  async #prune(action: ActionOf<"prune">): Promise<number> {
    const { olderThanMs, keep, all, yes, json } = action;
    const nowMs = Date.now();
    const found = prunableSessions(await this.#sessions(all), {
      nowMs,
      ...(olderThanMs === undefined ? {} : { olderThanMs }),
      ...(keep === undefined ? {} : { keep }),
    });
    if (!yes) {
      if (json) await this.#printJson({ wouldRemove: found });
      else await this.#print(wouldRemove(found, { nowMs, withFolder: all }));
      return EXIT_CODES.ok;
    }
    const { removed, open, failed } = await this.#removeAll(found);
    if (json) await this.#printJson({ removed, open });
    else await this.#print(`Deleted ${removed.length} of ${found.length} sessions\n`);
    return failed === 0 ? EXIT_CODES.ok : EXIT_CODES.startFailed;
  }

  async #removeAll(
    sessions: readonly SessionSummary[],
  ): Promise<{ removed: string[]; open: string[]; failed: number }> {
    const store = this.#store();
    const removed: string[] = [];
    const open: string[] = [];
    let failed = 0;
    for (const { path, id } of sessions) {
      try {
        await store.remove(path);
        removed.push(path);
      } catch (error) {
        if (error instanceof SessionError && error.code === "session_in_use") {
          this.#logger.warn(`Session ${id} is open and stays`);
          open.push(path);
          continue;
        }
        failed += 1;
        this.#logger.error(
          error instanceof RhoError
            ? error.message
            : `Cannot delete session "${path}": ${errorMessage(error)}`,
        );
      }
    }
    return { removed, open, failed };
  }

  async #sessions(all: boolean): Promise<readonly SessionSummary[]> {
    const store = this.#store(all);
    return all ? store.listAll() : await store.list();
  }

  #home(): string {
    const home = rhoHome((name) => this.#io.env[name]);
    if (home !== undefined) return home;
    throw new StartupError("Cannot find rho's folder: set RHO_HOME or HOME");
  }

  /** @param anywhere Whether the project does not matter, so that none has to be found. */
  #store(anywhere = false): FileStore {
    const redactor = new Redactor({ env: this.#io.env });
    return new FileStore({
      home: this.#home(),
      root: anywhere ? this.#io.cwd : this.#root(),
      redact: (text) => redactor.redact(text),
      logger: this.#logger,
    });
  }

  #root(): string {
    const { root } = this.#args;
    const home = userHome((name) => this.#io.env[name]);
    return projectFolder({
      cwd: this.#io.cwd,
      // A folder without a marker is worth a warning where tools run, not here.
      logger: SILENT_LOGGER,
      ...(root === undefined ? {} : { root }),
      ...(home === undefined ? {} : { home }),
    });
  }

  async #printJson(value: unknown): Promise<void> {
    await this.#print(`${JSON.stringify(value, null, 2)}\n`);
  }

  async #print(text: string): Promise<void> {
    const bytes = encodeUtf8(text);
    for (let at = 0; at < bytes.length;) at += await this.#io.stdout.write(bytes.subarray(at));
  }
}

function wouldRemove(
  sessions: readonly SessionSummary[],
  options: { readonly nowMs: number; readonly withFolder: boolean },
): string {
  if (sessions.length === 0) return "Nothing to delete\n";
  const count = sessions.length === 1 ? "this session" : `these ${sessions.length} sessions`;
  return `${sessionsTable(sessions, options)}\nWould delete ${count}; add --yes to do it\n`;
}
