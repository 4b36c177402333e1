/** Options of {@linkcode htmlToText}. */
export interface HtmlToTextOptions {
  /**
   * Where to start, in UTF-16 units.
   * @default {0}
   */
  readonly start?: number;
  /** Where to stop; the end of the text by default. */
  readonly end?: number;
  /** The most text to return, in UTF-16 units. */
  readonly maxUnits: number;
}

/** The text of a page, and whether all of it was there room for. */
export interface PlainText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Elements whose content is no text. */
const SILENT: ReadonlySet<string> = new Set([
  "script",
  "style",
  "button",
  "svg",
  "nav",
  "noscript",
]);

const BLOCKS: ReadonlySet<string> = new Set(
  "p div section details summary ul ol dl table tr h1 h2 h3 h4 h5 h6 pre blockquote dd dt li br hr"
    .split(" "),
);

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  sect: "§",
};

const ENTITY_REGEXP = /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi;

/**
 * Turns a piece of the pages that rustdoc writes into plain text with a little Markdown: headings,
 * list marks, back quotes. One pass over the input, so linear; it stops when there is enough.
 */
export function htmlToText(html: string, options: HtmlToTextOptions): PlainText {
  const end = Math.min(options.end ?? html.length, html.length);
  const writer = new TextWriter();
  let at = options.start ?? 0;
  while (at < end && writer.units <= options.maxUnits) {
    const open = html.indexOf("<", at);
    const textEnd = open < 0 || open > end ? end : open;
    if (textEnd > at) writer.text(decodeEntities(html.slice(at, textEnd)));
    if (textEnd === end) {
      at = end;
      break;
    }
    const close = html.startsWith("<!--", open)
      ? html.indexOf("-->", open)
      : html.indexOf(">", open);
    if (close < 0 || close > end) {
      at = end;
      break;
    }
    const tag = readTag(html.slice(open + 1, close));
    at = close + 1;
    if (tag === undefined) continue;
    if (!tag.isEnd && isSilent(tag)) {
      const after = html.indexOf(`</${tag.name}`, at);
      at = after < 0 || after > end ? end : after;
      continue;
    }
    writer.tag(tag);
  }
  const text = writer.finish();
  const isWhole = at >= end && text.length <= options.maxUnits;
  if (isWhole) return { text, isWhole };
  const cut = text.lastIndexOf("\n", options.maxUnits);
  return { text: text.slice(0, cut > 0 ? cut : options.maxUnits).trimEnd(), isWhole };
}

/** Replaces the entities of HTML by their characters. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY_REGEXP, (whole, name: string) => {
    if (name[0] !== "#") return ENTITIES[name.toLowerCase()] ?? whole;
    const isHex = name[1] === "x" || name[1] === "X";
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Where the element that starts at `start` ends, behind its end tag. Linear. */
export function elementEnd(html: string, start: number): number {
  const name = readTag(html.slice(start + 1, start + 32))?.name ?? "";
  const tags = new RegExp(`<(/?)${name}(?=[\\s>])`, "g");
  tags.lastIndex = start;
  let depth = 0;
  for (let found = tags.exec(html); found !== null; found = tags.exec(html)) {
    depth += found[1] === "/" ? -1 : 1;
    if (depth > 0) continue;
    const close = html.indexOf(">", found.index);
    return close < 0 ? html.length : close + 1;
  }
  return html.length;
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
}

function readTag(inner: string): Tag | undefined {
  const found = /^(\/?)([a-z][a-z0-9]*)/i.exec(inner);
  if (found === null) return undefined;
  const [whole, slash, name = ""] = found;
  return { name: name.toLowerCase(), isEnd: slash === "/", attributes: inner.slice(whole.length) };
}

function isSilent(tag: Tag): boolean {
  if (SILENT.has(tag.name)) return true;
  const { attributes } = tag;
  if (tag.name === "a") return /class="(?:anchor|doc-anchor|test-arrow|src)\b/.test(attributes);
  return tag.name === "summary" && attributes.includes("hideme");
}

/** Collects text: white space folds outside of `pre`, blocks start lines. */
class TextWriter {
  readonly #parts: string[] = [];
  units = 0;
  #preDepth = 0;
  #lineFeeds = 2;
  #isSpaced = true;

  text(text: string): void {
    if (this.#preDepth > 0) return this.#write(text);
    const folded = text.replace(/\s+/g, " ");
    const shown = this.#isSpaced && folded[0] === " " ? folded.slice(1) : folded;
    if (shown !== "") this.#write(shown);
  }

  tag({ name, isEnd, attributes }: Tag): void {
    if (name === "pre") {
      this.#preDepth = Math.max(0, this.#preDepth + (isEnd ? -1 : 1));
      this.#break(1);
      this.#write(isEnd ? "```" : `\`\`\`${/\brust\b/.test(attributes) ? "rust" : ""}\n`);
      if (isEnd) this.#break(1);
      return;
    }
    if (this.#preDepth > 0) {
      // A `where` of a declaration stands in a block of its own.
      return name === "br" || (name === "div" && !isEnd) ? this.#break(1) : undefined;
    }
    if (name === "code") return this.#write("`");
    if (name === "sup") return isEnd ? undefined : this.#write("^");
    if (name === "td" || name === "th") return isEnd ? this.#write(" | ") : undefined;
    if (!BLOCKS.has(name)) return;
    const level = /^h([1-6])$/.exec(name)?.[1];
    this.#break(level !== undefined || name === "p" ? 2 : 1);
    if (isEnd) return;
    if (level !== undefined) this.#write(`${"#".repeat(Number(level))} `);
    if (name !== "li") return;
    this.#write("- ");
    // Its first paragraph goes on in the same line.
    this.#lineFeeds = 2;
  }

  finish(): string {
    return this.#parts.join("").trim();
  }

  #break(lineFeeds: number): void {
    if (this.#lineFeeds >= lineFeeds) return;
    this.#write("\n".repeat(lineFeeds - this.#lineFeeds));
  }

  #write(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.units += text.length;
    let end = text.length;
    while (end > 0 && text[end - 1] === "\n") end -= 1;
    const feeds = text.length - end;
    this.#lineFeeds = end === 0 ? this.#lineFeeds + feeds : feeds;
    this.#isSpaced = /\s$/.test(text);
  }
}
