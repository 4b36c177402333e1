import { isAbsolutePath, joinPath } from "../../core/base/paths.ts";

/** The parts of the machine that a lookup asks; replaced in tests. */
export interface FindProgramOptions {
  /** The environment whose `PATH` counts. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * The operating system.
   * @default {Deno.build.os}
   */
  readonly os?: typeof Deno.build.os;
  /** Whether a file exists and may be run; the real file system by default. */
  readonly isExecutable?: (path: string) => boolean;
}

const DEFAULT_PATH_EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

/**
 * The absolute path of a program, found without starting anything, or `undefined`.
 *
 * A name with a separator is taken as a path. Folders of `PATH` that are relative or empty are
 * skipped: a program named `bash` in the working folder is never picked up by accident.
 */
export function findProgram(name: string, options: FindProgramOptions): string | undefined {
  const isWindows = (options.os ?? Deno.build.os) === "windows";
  const isExecutable = options.isExecutable ??
    ((path: string) => isExecutableFile(path, isWindows));
  const candidates = isWindows ? windowsNames(name, options.env) : [name];
  const folders = /[/\\]/.test(isWindows ? name : name.replaceAll("\\", ""))
    ? [undefined]
    : pathFolders(options.env, isWindows);
  for (const folder of folders) {
    for (const candidate of candidates) {
      const path = folder === undefined ? absolute(candidate) : joinPath(folder, candidate);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

function absolute(path: string): string {
  return isAbsolutePath(path) ? path : joinPath(Deno.cwd(), path);
}

function pathFolders(env: Readonly<Record<string, string>>, isWindows: boolean): string[] {
  const key = Object.keys(env).find((name) => isWindows ? /^path$/i.test(name) : name === "PATH");
  const value = key === undefined ? undefined : env[key];
  const folders = (value ?? "").split(isWindows ? ";" : ":");
  return folders.filter((folder) =>
    isWindows ? /^(?:[A-Za-z]:[\\/]|\\\\)/.test(folder) : folder[0] === "/"
  );
}

function windowsNames(name: string, env: Readonly<Record<string, string>>): string[] {
  if (/\.[^./\\]+$/.test(name)) return [name];
  const key = Object.keys(env).find((entry) => /^pathext$/i.test(entry));
  const extensions = (key === undefined ? undefined : env[key]) ?? DEFAULT_PATH_EXTENSIONS;
  return extensions.split(";").filter((part) => part !== "").map((part) => name + part);
}

function isExecutableFile(path: string, isWindows: boolean): boolean {
  try {
    const info = Deno.statSync(path);
    return info.isFile && (isWindows || ((info.mode ?? 0) & 0o111) !== 0);
  } catch {
    return false;
  }
}
