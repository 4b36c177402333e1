import { decodeEntities, elementEnd, htmlToText } from "./html_text.ts";

/** What was taken from a page. */
export interface DocExcerpt {
  readonly text: string;
  /** Whether there was room for all of it. */
  readonly isWhole: boolean;
}

const MEMBER_KINDS = "method|tymethod|variant|structfield|associatedconstant|associatedtype";
const MEMBER_REGEXP = new RegExp(
  `id="(?:${MEMBER_KINDS})\\.([A-Za-z0-9_]{1,80})[^"<>]{0,20}"`,
  "g",
);
const SECTION_REGEXP = /<h2 id="([^"<>]{1,200})" class="[^"<>]{0,200}section-header"/g;
const HEADING_REGEXP = /<h([2-6]) id="([^"<>]{1,200})"/g;
const CODE_HEADER_REGEXP = /<(h[34]) class="code-header">/g;
/** Sections that are lists of signatures; the rest is prose. */
const LISTS_REGEXP = /implementations|implementors|methods|foreign-impls|blanket|synthetic/;
const DOCBLOCK_REGEXP = /^<div class=["']docblock/;
const CLOSING_REGEXP = /^(?:<\/[a-z]+>|\s)*/;

/** A page of rustdoc: what it says of the item, its sections and its members. */
export class DocPage {
  readonly #html: string;
  readonly #start: number;

  constructor(html: string) {
    this.#html = html;
    this.#start = Math.max(0, html.indexOf('id="main-content"'));
  }

  /** The title, the declaration and the description. */
  summary(maxUnits: number): DocExcerpt {
    const html = this.#html;
    const decl = html.indexOf('<pre class="rust item-decl">', this.#start);
    const doc = html.indexOf('<div class="docblock', this.#start);
    const end = this.#sections()[0]?.start ?? html.length;
    const parts: string[] = [];
    let isWhole = true;
    for (const start of [decl, doc]) {
      if (start < 0 || start >= end) continue;
      const room = Math.max(0, maxUnits - parts.join("\n\n").length);
      const part = htmlToText(html, { start, end: elementEnd(html, start), maxUnits: room });
      parts.push(part.text);
      isWhole &&= part.isWhole;
    }
    return { text: parts.filter((part) => part !== "").join("\n\n"), isWhole };
  }

  /** Titles that {@linkcode section} takes: headings of the description, then the big sections. */
  sectionNames(): string[] {
    const sections = this.#sections();
    const end = sections[0]?.start ?? this.#html.length;
    return [...this.#headings(end).map(({ title }) => title), ...sections.map(({ id }) => id)];
  }

  /** A section by its title, case and punctuation ignored; of implementations the signatures. */
  section(name: string, maxUnits: number): DocExcerpt | undefined {
    const wanted = fold(name);
    const sections = this.#sections();
    const index = sections.findIndex(({ id }) => fold(id) === wanted);
    const found = sections[wanted === "methods" && index < 0 ? this.#ownMethods() : index];
    if (found !== undefined) {
      const end = sections[sections.indexOf(found) + 1]?.start ?? this.#html.length;
      return LISTS_REGEXP.test(found.id)
        ? this.#signatures(found.start, { end, maxUnits })
        : htmlToText(this.#html, { start: found.start, end, maxUnits });
    }
    const descriptionEnd = sections[0]?.start ?? this.#html.length;
    const headings = this.#headings(descriptionEnd);
    const at = headings.findIndex(({ title }) => fold(title) === wanted);
    const heading = headings[at];
    if (heading === undefined) return undefined;
    const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
    const docblock = this.#html.indexOf('<div class="docblock', this.#start);
    const end = next?.start ?? elementEnd(this.#html, docblock);
    return htmlToText(this.#html, { start: heading.start, end, maxUnits });
  }

  /** Names of methods, variants, fields and so on of the item itself, in order. */
  members(): string[] {
    const end = this.#sections().find(({ id }) => /^(?:trait-impl|synthetic|blanket)/.test(id))
      ?.start;
    const part = this.#html.slice(this.#start, end);
    return [...new Set([...part.matchAll(MEMBER_REGEXP)].map((found) => found[1] ?? ""))];
  }

  /** Names of everything that {@linkcode member} finds. */
  allMembers(): string[] {
    return [...new Set([...this.#html.matchAll(MEMBER_REGEXP)].map((found) => found[1] ?? ""))];
  }

  /** A member with signature and description, once for each of its implementations. */
  member(name: string, maxUnits: number): DocExcerpt | undefined {
    const parts: string[] = [];
    let isWhole = true;
    for (const found of this.#html.matchAll(MEMBER_REGEXP)) {
      if (found[1] !== name) continue;
      const room = maxUnits - parts.join("\n\n").length;
      if (room <= 0) return { text: parts.join("\n\n"), isWhole: false };
      const part = this.#memberAt(found.index, room);
      parts.push(part.text);
      isWhole &&= part.isWhole;
    }
    return parts.length === 0 ? undefined : { text: parts.join("\n\n"), isWhole };
  }

  #memberAt(at: number, maxUnits: number): DocExcerpt {
    const html = this.#html;
    const start = html.lastIndexOf("<", at);
    const end = elementEnd(html, start);
    const header = /<(?:h[34] class="code-header"|code)>/.exec(html.slice(start, end));
    const from = header === null ? start : start + header.index;
    const signature = codeText(html.slice(from, elementEnd(html, from)));
    const owner = this.#ownerOf(start);
    const head = `\`\`\`rust\n${owner === "" ? "" : `// ${owner}\n`}${signature}\n\`\`\``;
    const { at: next, note } = this.#skipNotes(end);
    const intro = note === "" ? head : `${head}\n${note}`;
    if (!DOCBLOCK_REGEXP.test(html.slice(next, next + 40))) return { text: intro, isWhole: true };
    const room = Math.max(0, maxUnits - intro.length);
    const text = htmlToText(html, { start: next, end: elementEnd(html, next), maxUnits: room });
    return { text: `${intro}\n${text.text}`, isWhole: text.isWhole };
  }

  /** Goes on to what follows a signature; notes stand between: deprecated, nightly only. */
  #skipNotes(start: number): { readonly at: number; readonly note: string } {
    const html = this.#html;
    let at = start;
    let note = "";
    for (;;) {
      const closing = CLOSING_REGEXP.exec(html.slice(at, at + 40))?.[0].length ?? 0;
      at += closing;
      if (!html.startsWith('<span class="item-info">', at)) return { at, note };
      const end = elementEnd(html, at);
      note += htmlToText(html, { start: at, end, maxUnits: 500 }).text;
      at = end;
    }
  }

  /** The `impl` line that a member stands below. */
  #ownerOf(at: number): string {
    const impl = this.#html.lastIndexOf('class="impl"', at);
    const section = this.#sections().findLast(({ start }) => start < at);
    if (impl < 0 || impl < (section?.start ?? 0)) return "";
    const header = this.#html.indexOf('<h3 class="code-header">', impl);
    if (header < 0 || header > at) return "";
    return codeText(this.#html.slice(header, elementEnd(this.#html, header))).replace(/\s+/g, " ");
  }

  #ownMethods(): number {
    const ids = this.#sections().map(({ id }) => id);
    const at = ids.indexOf("implementations");
    return at >= 0 ? at : ids.indexOf("provided-methods");
  }

  #signatures(
    start: number,
    options: { readonly end: number; readonly maxUnits: number },
  ): DocExcerpt {
    const part = this.#html.slice(start, options.end);
    const lines: string[] = [];
    let units = 0;
    for (const found of part.matchAll(CODE_HEADER_REGEXP)) {
      const code = codeText(part.slice(found.index, elementEnd(part, found.index)));
      const line = (found[1] === "h4" ? "    " : "") + code.replace(/\s+/g, " ");
      units += line.length + 1;
      if (units > options.maxUnits) return { text: lines.join("\n"), isWhole: false };
      lines.push(line);
    }
    return { text: lines.join("\n"), isWhole: true };
  }

  #sections(): { readonly id: string; readonly start: number }[] {
    return [...this.#html.matchAll(SECTION_REGEXP)]
      .map((found) => ({ id: decoded(found[1] ?? ""), start: found.index }));
  }

  #headings(end: number): { title: string; level: number; start: number }[] {
    const part = this.#html.slice(this.#start, end);
    return [...part.matchAll(HEADING_REGEXP)].map((found) => {
      const html = part.slice(found.index, elementEnd(part, found.index));
      const title = htmlToText(html, { maxUnits: 200 }).text.replace(/^#+ /, "");
      return { title, level: Number(found[1]), start: this.#start + found.index };
    });
  }
}

/** The text of a piece of code: no marks, white space as it is. */
function codeText(html: string): string {
  return decodeEntities(
    html.replace(/<div class="where">/g, "\n").replace(/<[^<>]{0,2000}>/g, ""),
  ).replace(/\s?ⓘ/g, "").trim();
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
