import { utf8Length } from "../../../core/base/text.ts";
import { clipLine, counted, firstOf, lineCount } from "./clip.ts";
import { type FramedBlock, parseFramed } from "./framed_text.ts";
import { type OutlineInput, pathArgument, type ResultOutline } from "./outline_input.ts";

const ANCHOR_REGEXP = /^(\d+)#[A-Z]{4}:/;

/** Lines that define something, in the common languages; the name is the only group. */
const SYMBOL_REGEXP =
  /^\s{0,4}(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|static|async|abstract|final|unsafe|const|declare|override)\s){0,6}(?:function\*?|class|interface|type|enum|struct|trait|impl|fn|def|func|module|mod|namespace|record|macro_rules!|const|let|var|#{1,3})\s([^\s(){}:=;<,]{1,60})/;

const MAX_SYMBOLS = 24;
const MAX_LINE_UNITS = 400;

/** `read_file`: path, range and the names of what is defined there. */
export function outlineRead(input: OutlineInput): ResultOutline {
  const { outside, blocks } = parseFramed(input.content);
  const [block] = blocks;
  if (block === undefined) return whole(`read_file ${pathArgument(input.args)}`, outside);
  const head = `read_file ${describe(block)}`;
  return {
    outline: [`[shortened] ${head}`, symbolLine(block), firstLines(block), readAgain()].filter((
      line,
    ) => line !== "").join("\n"),
    summary: `[shortened] ${head}; read it again if its text matters`,
  };
}

/** `batch_read`: each file with its range and names. */
export function outlineBatchRead(input: OutlineInput): ResultOutline {
  const { outside, blocks } = parseFramed(input.content);
  if (blocks.length === 0) return whole("batch_read", outside);
  const files = blocks.map(describe);
  return {
    outline: [
      `[shortened] batch_read of ${counted(blocks.length, "file")}:`,
      ...blocks.map((block) =>
        [`- ${describe(block)}`, symbolLine(block)].filter(Boolean).join("; ")
      ),
      readAgain(),
    ].join("\n"),
    summary: `[shortened] batch_read: ${firstOf(files, 6)}`,
  };
}

function whole(head: string, text: string): ResultOutline {
  return {
    outline: `[shortened] ${head}: ${clipLine(text, 400)}`,
    summary: `${head}: ${clipLine(text, 120)}`,
  };
}

function readAgain(): string {
  return "[read the file again for its text and anchors]";
}

function describe({ attributes, body }: FramedBlock): string {
  const lines = attributes.lines === undefined ? "" : `, lines ${attributes.lines}`;
  return `${attributes.path ?? "?"}${lines} (${counted(lineCount(body), "line")}, ` +
    `${utf8Length(body)} bytes)`;
}

function symbolLine({ body }: FramedBlock): string {
  const names: string[] = [];
  for (const row of body.split("\n")) {
    if (names.length > MAX_SYMBOLS) break;
    if (row.length > MAX_LINE_UNITS) continue;
    const anchor = ANCHOR_REGEXP.exec(row);
    const name = SYMBOL_REGEXP.exec(anchor === null ? row : row.slice(anchor[0].length))?.[1];
    if (name !== undefined) names.push(anchor === null ? name : `${name} (${anchor[1]})`);
  }
  return names.length === 0 ? "" : `defines ${firstOf(names, MAX_SYMBOLS)}`;
}

/** Without names to go by, the first lines say what the file is. */
function firstLines(block: FramedBlock): string {
  if (symbolLine(block) !== "") return "";
  const rows = block.body.split("\n", 3).map((row) =>
    clipLine(row.replace(ANCHOR_REGEXP, ""), 100)
  );
  return rows.filter((row) => row !== "").map((row) => `| ${row}`).join("\n");
}
