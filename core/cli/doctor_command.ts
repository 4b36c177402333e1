import { BUILD_COMMIT } from "../base/build.ts";
import { SILENT_LOGGER } from "../base/log.ts";
import { VERSION } from "../base/version.ts";
import { findProjectRoot } from "../config/project_root.ts";
import { rhoHome, userHome } from "../config/rho_home.ts";
import { Redactor } from "../security/redactor.ts";
import { TrustStore } from "../security/trust_store.ts";
import type { AppIo } from "./app_io.ts";
import { examine, type Finding, sessionsFolder } from "./doctor_findings.ts";
import { EXIT_CODES } from "./exit_codes.ts";
import { printText } from "./print_command.ts";
import { projectFolder } from "./project_folder.ts";

/** What `rho doctor` is told. */
export interface DoctorArguments {
  /** `--root`. */
  readonly root?: string;
}

const SIGNS: Readonly<Record<Finding["verdict"], string>> = {
  ok: "ok     ",
  note: "note   ",
  problem: "problem",
};

const SUBJECT_WIDTH = 9;

/**
 * `rho doctor`: says what rho found here and what is wrong with it. Nothing is written, and only
 * the configured providers are asked, for their lists of models.
 *
 * @returns the exit code: 1 when something keeps rho from working.
 * @throws {StartupError} when the root is no folder.
 */
export async function runDoctor(args: DoctorArguments, io: AppIo): Promise<number> {
  const env = (name: string) => io.env[name];
  const user = userHome(env);
  const home = rhoHome(env);
  const marked = args.root ?? findProjectRoot(io.cwd, user === undefined ? {} : { home: user });
  const root = projectFolder({ cwd: io.cwd, logger: SILENT_LOGGER, root: marked ?? io.cwd });
  const warnings: Finding[] = [];
  const store = new TrustStore({
    home,
    onWarning: (text) => warnings.push({ verdict: "problem", subject: "trust", text }),
  });
  const findings: readonly Finding[] = [
    {
      verdict: "ok",
      subject: "rho",
      text: `${VERSION} (${BUILD_COMMIT}), deno ${Deno.version.deno}, ${Deno.build.target}`,
    },
    { verdict: "ok", subject: "sessions", text: sessionsFolder(home) },
    ...await examine({ home, root, isMarked: marked !== undefined, env: io.env, store }),
    ...warnings,
  ];
  const redactor = new Redactor({ env: io.env });
  const lines = findings.map(({ verdict, subject, text }) =>
    `${SIGNS[verdict]}  ${subject.padEnd(SUBJECT_WIDTH)}${text}\n`
  );
  await printText(redactor.redact(lines.join("")));
  const isSound = findings.every(({ verdict }) => verdict !== "problem");
  return isSound ? EXIT_CODES.ok : EXIT_CODES.startFailed;
}
