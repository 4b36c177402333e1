import { RhoError, type RhoErrorOptions, systemErrorCode } from "../base/errors.ts";
import { isMissingError } from "./path_probe.ts";

/**
 * Why a path was not given out:
 * `sandbox_refused` (outside the root, a link out of it, a form that is not accepted), `not_found`,
 * `not_a_folder` (a file where a folder is needed), `not_a_file` (a folder, pipe or device),
 * `permission_denied`, or `changed` (it was swapped between check and use).
 */
export type SandboxErrorCode =
  | "sandbox_refused"
  | "not_found"
  | "not_a_folder"
  | "not_a_file"
  | "permission_denied"
  | "changed";

/** A path that the sandbox does not give out; the message tells the model what to do next. */
export class SandboxError extends RhoError {
  declare readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options: RhoErrorOptions = {}) {
    super(code, message, options);
  }
}

/** What a refused path is measured by. */
interface Place {
  /** The path as the model gave it, or relative to the root. */
  readonly path: string;
  readonly root: string;
}

/** A path that is refused for a reason, with the form that is accepted. */
export function refusedPath(place: Place, reason: string): SandboxError {
  return new SandboxError(
    "sandbox_refused",
    `Cannot use "${place.path}": ${reason}; ${hint(place)}`,
  );
}

/** A path that runs through a file. */
export function notAFolder(place: Place, file: string): SandboxError {
  return new SandboxError(
    "not_a_folder",
    `Cannot use "${place.path}": "${file}" is a file, not a folder; ${hint(place)}`,
  );
}

/** A path that leads to nothing; `near` are paths that may have been meant. */
export function missingPath(place: Place, near: readonly string[] = []): SandboxError {
  const guess = near.length === 0
    ? ""
    : ` (did you mean ${near.map((name) => `"${name}"`).join(" or ")}?)`;
  return new SandboxError(
    "not_found",
    `Cannot find "${place.path}"${guess}; paths are relative to "${place.root}"`,
    { data: { near } },
  );
}

/** A path that was swapped between check and use. */
export function replacedPath(shown: string): SandboxError {
  return new SandboxError(
    "changed",
    `Cannot use "${shown}": it was replaced while it was being opened; look at it again`,
  );
}

/** A path that leads to something other than a regular file. */
export function notAFile(shown: string, info: Deno.FileInfo): SandboxError {
  return new SandboxError(
    "not_a_file",
    info.isDirectory
      ? `Cannot open "${shown}": it is a folder; use list_dir`
      : `Cannot open "${shown}": it is a pipe, socket or device, not a regular file`,
  );
}

/** What a failed call of the system means for a path inside the root; our own errors stay. */
export function systemRefusal(place: Place, cause: unknown): SandboxError {
  if (cause instanceof SandboxError) return cause;
  if (isMissingError(cause)) return missingPath(place);
  if (cause instanceof Deno.errors.PermissionDenied) {
    const message = `Cannot open "${place.path}": the system denies access to it`;
    return new SandboxError("permission_denied", message, { cause });
  }
  const code = systemErrorCode(cause);
  const circle = cause instanceof Deno.errors.FilesystemLoop || code === "ELOOP";
  return refusedPath(place, circle ? "its links form a circle" : `the system says ${code ?? "no"}`);
}

function hint(place: Place): string {
  return `give a path relative to "${place.root}", such as "src/a.ts"`;
}
