import { joinPath } from "../../core/base/paths.ts";
import { nearestNames } from "../../core/base/text.ts";
import { decodeEntities } from "./html_text.ts";

/** An item of the standard library with a page of its own. */
export interface DocItem {
  /** `struct`, `trait`, `macro`, `primitive`, `mod`, … as rustdoc names it. */
  readonly kind: string;
  /** With its crate: `std::vec::Vec`. */
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** Relative to the folder of the documentation. */
  readonly href: string;
}

/** What a query led to: an item, perhaps a member of it; other readings. */
export interface DocMatch {
  readonly item: DocItem;
  /** A method, variant, field, constant or type of the item. */
  readonly member?: string;
  readonly others: readonly DocItem[];
}

const CRATES: readonly string[] = ["std", "core", "alloc", "proc_macro", "test"];
const ENTRY_REGEXP = /<li><a href="([^"<>]{1,300})">([^<>]{1,300})<\/a><\/li>/g;
const KIND_REGEXP = /(?:^|\/)([a-z]+)\.[^/]*\.html$/;

/** The better a kind, the earlier: what people mean by a bare name. */
const KINDS: readonly string[] = [
  "primitive",
  "struct",
  "enum",
  "trait",
  "union",
  "macro",
  "keyword",
  "fn",
  "mod",
  "type",
  "constant",
  "static",
  "derive",
  "attr",
];

/** Everything of the standard library that has a page. */
export class DocIndex {
  readonly #items: readonly DocItem[];
  readonly #byName = new Map<string, DocItem[]>();

  private constructor(items: readonly DocItem[]) {
    this.#items = items;
    for (const item of items) {
      const key = item.name.toLowerCase();
      this.#byName.set(key, [...this.#byName.get(key) ?? [], item]);
    }
  }

  /** Reads the lists of items; `undefined` when the documentation is not installed. */
  static open(folder: string): DocIndex | undefined {
    const items = CRATES.flatMap((crate) => crateItems(folder, crate));
    if (items.length === 0) return undefined;
    items.push(...keywords(folder));
    const modules = new Map<string, DocItem>();
    for (const { path, href } of items) {
      const parts = path.split("::").slice(0, -1);
      const folders = href.split("/").slice(0, -1);
      for (let n = 1; n <= Math.min(parts.length, folders.length); n++) {
        const module = parts.slice(0, n).join("::");
        if (modules.has(module)) continue;
        const page = `${folders.slice(0, n).join("/")}/index.html`;
        modules.set(module, { kind: "mod", path: module, name: parts[n - 1] ?? "", href: page });
      }
    }
    return new DocIndex([...items, ...modules.values()]);
  }

  /**
   * What a query may mean, likeliest first: an item by path or name, or a member of such an item.
   * Whether there is such a member only the item's page knows.
   */
  find(query: string): DocMatch[] {
    const isMacro = query.endsWith("!");
    const parts = queryParts(query);
    const [item, ...others] = this.#itemsAt(parts).filter(({ kind }) =>
      !isMacro || kind === "macro"
    );
    const [owner, ...more] = this.#itemsAt(parts.slice(0, -1));
    const member = parts.at(-1);
    const matches: DocMatch[] = [];
    if (item !== undefined) matches.push({ item, others });
    if (owner !== undefined && member !== undefined) {
      const match = { item: owner, member, others: more };
      // `i32::MAX` is the constant of the type, not the deprecated one of the module.
      if (item?.kind === "constant" && owner.kind === "primitive") matches.unshift(match);
      else matches.push(match);
    }
    return matches;
  }

  /** Names like the one that was not found. */
  near(query: string): string[] {
    const name = queryParts(query).at(-1) ?? query;
    const names = nearestNames(name, new Set(this.#items.map((item) => item.name)));
    return names.map((near) => this.#byName.get(near.toLowerCase())?.[0]?.path ?? near);
  }

  #itemsAt(parts: readonly string[]): DocItem[] {
    const name = parts.at(-1);
    if (name === undefined) return [];
    const wanted = parts.join("::").toLowerCase();
    const hasCrate = CRATES.includes(parts[0] ?? "") && parts.length > 1;
    const found = (this.#byName.get(name.toLowerCase()) ?? []).filter(({ path }) => {
      const lower = path.toLowerCase();
      return lower === wanted || (!hasCrate && lower.endsWith(`::${wanted}`));
    });
    const unique = new Map(found.toReversed().map((item) => [withoutCrate(item), item]));
    return [...unique.values()].sort((a, b) => rank(a, name) - rank(b, name));
  }
}

/** `Vec<T>::push()` → `Vec`, `push`; `&str` → `str`; `[T]` → `slice`. */
function queryParts(query: string): string[] {
  let depth = 0;
  let plain = "";
  for (const character of query.trim()) {
    if (character === "<") depth += 1;
    if (depth === 0) plain += character;
    if (character === ">" && depth > 0) depth -= 1;
  }
  const named = plain.replace(/^\[[^\]]{0,40}\]/, "slice").replace(/\(\)$/, "").replace(/!$/, "");
  return named.split(/::|\.|#/).map((part) => part.replace(/[^A-Za-z0-9_]/g, ""))
    .filter((part) => part !== "");
}

function crateItems(folder: string, crate: string): DocItem[] {
  let html: string;
  try {
    html = Deno.readTextFileSync(joinPath(folder, crate, "all.html"));
  } catch {
    return [];
  }
  return [...html.matchAll(ENTRY_REGEXP)].flatMap(([, href = "", label = ""]) => {
    const kind = KIND_REGEXP.exec(href)?.[1];
    if (kind === undefined || href.includes("..")) return [];
    const path = `${crate}::${decodeEntities(label)}`;
    return [{ kind, path, name: path.slice(path.lastIndexOf("::") + 2), href: `${crate}/${href}` }];
  });
}

/** No list of items has them. */
function keywords(folder: string): DocItem[] {
  try {
    return [...Deno.readDirSync(joinPath(folder, "std"))].flatMap(({ name: file }) => {
      const name = /^keyword\.([A-Za-z]+)\.html$/.exec(file)?.[1];
      if (name === undefined) return [];
      return [{ kind: "keyword", path: `std::${name}`, name, href: `std/${file}` }];
    });
  } catch {
    return [];
  }
}

function withoutCrate(item: DocItem): string {
  return `${item.kind} ${item.path.slice(item.path.indexOf("::"))}`;
}

/**
 * Lower is better: right case, telling kind, a module named like it, short path, first crate. The
 * module `range` holds what will one day replace the ranges of `ops`.
 */
function rank(item: DocItem, name: string): number {
  const kind = KINDS.indexOf(item.kind);
  const parts = item.path.split("::");
  const isHome = parts.at(-2) === name.toLowerCase();
  return (item.name === name ? 0 : 10_000) + (kind < 0 ? KINDS.length : kind) * 100 -
    (isHome ? 350 : 0) + (parts[1] === "range" ? 1000 : 0) + parts.length * 10 +
    CRATES.indexOf(parts[0] ?? "");
}
