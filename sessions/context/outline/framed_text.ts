/** A block that a tool framed: its attributes and what stands in it. */
export interface FramedBlock {
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A result with its framed blocks taken apart. */
export interface FramedText {
  /** Everything outside of the blocks. */
  readonly outside: string;
  readonly blocks: readonly FramedBlock[];
}

const OPEN = "<context ";
const CLOSE = "<context:end>";
const ATTRIBUTE_REGEXP = /([a-z_]+)="([^"]*)"/g;

/** Takes a tool's result apart. Markers inside of blocks are harmless, so the first close counts. */
export function parseFramed(text: string): FramedText {
  const outside: string[] = [];
  const blocks: FramedBlock[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf(OPEN, at);
    const headEnd = open < 0 ? -1 : text.indexOf(">", open);
    if (headEnd < 0) break;
    const found = text.indexOf(CLOSE, headEnd);
    // A cut result may have lost its end.
    const close = found < 0 ? text.length : found;
    outside.push(text.slice(at, open));
    blocks.push({
      attributes: attributesOf(text.slice(open + OPEN.length, headEnd)),
      body: text.slice(headEnd + 1, close).replace(/^\n/, ""),
    });
    at = found < 0 ? text.length : close + CLOSE.length;
  }
  outside.push(text.slice(at));
  return { outside: outside.join("").trim(), blocks };
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(ATTRIBUTE_REGEXP)) attributes[name] = value;
  return attributes;
}
