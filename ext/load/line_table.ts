const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Where each line of a linked module comes from: `[index of the file, line from 1]` or `null`. */
export interface LineTable {
  readonly files: readonly string[];
  readonly lines: readonly (readonly [number, number] | null)[];
}

/**
 * The line table of a source map.
 *
 * @param mappings As in the source map format, revision 3 (https://tc39.es/ecma426).
 */
export function lineTable(mappings: string, files: readonly string[]): LineTable {
  let file = 0;
  let line = 0;
  const lines = mappings.split(";").map((group): [number, number] | null => {
    let first: [number, number] | null = null;
    for (const segment of group.split(",")) {
      const [, fileStep, lineStep] = decodeVlq(segment);
      if (fileStep === undefined || lineStep === undefined) continue;
      file += fileStep;
      line += lineStep;
      first ??= [file, line + 1];
    }
    return first;
  });
  return { files, lines };
}

function decodeVlq(segment: string): number[] {
  const values: number[] = [];
  let value = 0;
  let shift = 0;
  for (const letter of segment) {
    const digit = BASE64.indexOf(letter);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    values.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return values;
}

/** The lines of an extension are in modules with this URL. */
const MODULE_URL = "data:text/javascript;base64,";
const END_REGEXP = /:(\d{1,9}):\d{1,9}(\)?)$/;

/**
 * A stack trace as the author knows the files: frames of the extension get file and line, those of
 * rho's own program in the worker go.
 */
export function authorStack(stack: string, table: LineTable): string {
  return stack.split("\n").flatMap((text) => {
    const at = text.indexOf("data:text/javascript");
    if (at < 0) return [text];
    const end = END_REGEXP.exec(text);
    if (!text.startsWith(MODULE_URL, at) || end === null) return [];
    const place = table.lines[Number(end[1]) - 1];
    if (place === null || place === undefined) return [];
    return [`${text.slice(0, at)}${table.files[place[0]]}:${place[1]}${end[2]}`];
  }).join("\n");
}
