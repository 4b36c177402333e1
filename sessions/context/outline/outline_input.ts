import { isRecord, type JsonRecord, parseJson, stringField } from "../../json_value.ts";

/** A tool's result with the call that it answers. */
export interface OutlineInput {
  /** The tool's name. */
  readonly name: string;
  readonly args: JsonRecord;
  readonly content: string;
  readonly isError: boolean;
}

/** What is left of a result at the two lower resolutions. */
export interface ResultOutline {
  /** Some lines: what was asked, counts, the parts that matter. */
  readonly outline: string;
  /** One line. */
  readonly summary: string;
}

/** Makes the outline of one tool's results. */
export type OutlineFormatter = (input: OutlineInput) => ResultOutline;

/** The arguments of a call as an object; an empty one when they are none. */
export function callArguments(text: string): JsonRecord {
  const parsed = parseJson(text);
  return isRecord(parsed) ? parsed : {};
}

/** A path argument for people. */
export function pathArgument(args: JsonRecord): string {
  return stringField(args, "path") ?? ".";
}
