import { ExtensionError } from "../extension_error.ts";

/** The extension does not run. */
export function notRunning(name: string, reason: string): ExtensionError {
  return new ExtensionError("extension_gone", `The extension "${name}" does not run: ${reason}`);
}

/** Another extension took the host down. */
export function interrupted(name: string): ExtensionError {
  const message =
    `The extension "${name}" was interrupted: another one had to be ended by force; ` +
    "call again";
  return new ExtensionError("extension_interrupted", message);
}

/** The worker ended by itself, or might as well have. */
export function crashed(name: string, reason: string): ExtensionError {
  return new ExtensionError("extension_gone", `The extension "${name}" crashed: ${reason}`);
}

/** Something took too long. */
export function overTime(
  name: string,
  { what, timeoutMs }: { readonly what: string; readonly timeoutMs: number },
): ExtensionError {
  return new ExtensionError(
    "extension_limit",
    `The extension "${name}" was stopped: ${what} took longer than ${timeoutMs / 1000} s ` +
      "(max_execution_time_s; a hook has at most 5 s)",
  );
}

/** It used too much memory. */
export function overMemory(name: string, maxMemoryMb: number): ExtensionError {
  return new ExtensionError(
    "extension_limit",
    `The extension "${name}" was stopped: it used more than ${maxMemoryMb} MB (max_memory_mb)`,
  );
}
