import { ExtensionError } from "../extension_error.ts";

/** Where something stands in an author's file. */
export interface SourcePlace {
  /** Relative to the extension's folder. */
  readonly file: string;
  readonly text: string;
  /** Index into `text`. */
  readonly index: number;
}

/** A load error that names file, line and column. */
export function loadProblem(place: SourcePlace, message: string): ExtensionError {
  const before = place.text.slice(0, place.index).split("\n");
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return new ExtensionError("extension_load", `${place.file}:${line}:${column}: ${message}`, {
    data: { file: place.file, line, column },
  });
}
