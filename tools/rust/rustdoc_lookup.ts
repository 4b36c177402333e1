import * as v from "valibot";
import { joinPath } from "../../core/base/paths.ts";
import { headUnits, nearestNames } from "../../core/base/text.ts";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import type { RustDocs } from "./rust_docs.ts";
import type { DocItem, DocMatch } from "./rustdoc_index.ts";
import { type DocExcerpt, DocPage } from "./rustdoc_page.ts";

const SCHEMA = v.object({
  query: v.pipe(
    v.string(),
    v.nonEmpty(),
    v.maxLength(200),
    v.description("Vec, std::collections::HashMap, Option::map, str, vec!"),
  ),
  section: v.optional(
    v.pipe(v.string(), v.description('A section that the page named, "Examples", "methods"')),
  ),
});

/** The arguments of `rustdoc_lookup`. */
export type RustdocLookupArgs = v.InferOutput<typeof SCHEMA>;

const MAX_UNITS = 12_000;
const MAX_MEMBERS = 150;
const MAX_OTHERS = 8;

/** The tool `rustdoc_lookup`: the standard library's documentation, from the local toolchain. */
export function createRustdocLookup(docs: RustDocs): Tool<RustdocLookupArgs> {
  return {
    name: "rustdoc_lookup",
    description: "Looks up the Rust standard library in the local documentation: types, traits, " +
      'methods, macros, primitives, modules. Example: {"query": "Option::map"}',
    schema: SCHEMA,
    risk: "read",
    highestRisk: "read",
    source: "builtin",
    execute: (args, context) => withFailures(() => lookUp(args, { docs, context })),
  };
}

async function lookUp(
  args: RustdocLookupArgs,
  of: { readonly docs: RustDocs; readonly context: ToolContext },
): Promise<ToolResult> {
  const { folder, index } = await of.docs.open(of.context);
  const matches = index.find(args.query);
  const [likeliest] = matches;
  if (likeliest === undefined) return notFound(args.query, index.near(args.query));
  const maxUnits = Math.min(MAX_UNITS, Math.floor(of.context.maxOutputBytes * 0.7));
  for (const match of matches) {
    const found = readMatch(match, { folder, maxUnits });
    if (found !== undefined) return showFound(args, { match, found, maxUnits });
  }
  return unknownMember(args.query, { match: likeliest, folder });
}

interface Found {
  readonly page: DocPage;
  readonly item: DocItem;
  readonly member?: DocExcerpt;
}

function showFound(
  args: RustdocLookupArgs,
  options: { readonly match: DocMatch; readonly found: Found; readonly maxUnits: number },
): ToolResult {
  const { match, found, maxUnits } = options;
  const { page, item } = found;
  if (args.section !== undefined) {
    const section = page.section(args.section, maxUnits);
    if (section === undefined) {
      const names = page.sectionNames().slice(0, 40).join(", ");
      return toolFailure(
        `Cannot find the section ${JSON.stringify(headUnits(args.section, 80))} in ${item.path}; ` +
          `its sections: ${names}`,
      );
    }
    return show(match, { item, excerpt: section, more: [] });
  }
  if (found.member !== undefined) return show(match, { item, excerpt: found.member, more: [] });
  const summary = page.summary(maxUnits);
  return show(match, { item, excerpt: summary, more: overview(page) });
}

/** The page of a match; a member may stand on the page of another reading of its owner. */
function readMatch(
  match: DocMatch,
  options: { readonly folder: string; readonly maxUnits: number },
): Found | undefined {
  const { member } = match;
  for (const item of [match.item, ...match.others.slice(0, MAX_OTHERS)]) {
    const page = readPage(options.folder, item);
    if (page === undefined) continue;
    if (member === undefined) return { page, item };
    const excerpt = page.member(member, options.maxUnits);
    if (excerpt !== undefined) return { page, item, member: excerpt };
  }
  return undefined;
}

function readPage(folder: string, item: DocItem): DocPage | undefined {
  try {
    return new DocPage(Deno.readTextFileSync(joinPath(folder, ...item.href.split("/"))));
  } catch {
    return undefined;
  }
}

function overview(page: DocPage): string[] {
  const members = page.members();
  const sections = page.sectionNames();
  const cut = members.length > MAX_MEMBERS ? ", …" : "";
  return [
    ...(sections.length > 0 ? [`Sections: ${sections.slice(0, 40).join(", ")}`] : []),
    ...(members.length > 0 ? [`Members: ${members.slice(0, MAX_MEMBERS).join(", ")}${cut}`] : []),
  ];
}

function show(
  match: DocMatch,
  found: { readonly item: DocItem; readonly excerpt: DocExcerpt; readonly more: readonly string[] },
): ToolResult {
  const { item, excerpt, more } = found;
  const path = match.member === undefined ? item.path : `${item.path}::${match.member}`;
  const body = [excerpt.text === "" ? "(no text)" : excerpt.text, ...more].join("\n\n");
  const lines = [frame({ source: "rustdoc_lookup", item: `${item.kind} ${path}` }, body)];
  if (!excerpt.isWhole) lines.push('This is the beginning; give "section" for one part of it.');
  const others = match.member === undefined ? match.others : [];
  if (others.length > 0) {
    const names = others.slice(0, MAX_OTHERS).map(({ kind, path }) => `${path} (${kind})`);
    lines.push(
      `Others of this name: ${names.join(", ")}${others.length > MAX_OTHERS ? ", …" : ""}`,
    );
  }
  return toolSuccess(lines.join("\n"));
}

function notFound(query: string, near: readonly string[]): ToolResult {
  const hint = near.length > 0
    ? `near it: ${near.join(", ")}`
    : "only the standard library is here; for other crates read their sources";
  return toolFailure(`Cannot find ${JSON.stringify(query)} in the Rust documentation; ${hint}`);
}

function unknownMember(
  query: string,
  at: { readonly match: DocMatch; readonly folder: string },
): ToolResult {
  const { item, member = "" } = at.match;
  const members = readPage(at.folder, item)?.allMembers() ?? [];
  const near = nearestNames(member, members);
  const hint = near.length > 0
    ? `near it: ${near.map((name) => `${item.name}::${name}`).join(", ")}`
    : `look up "${item.path}" for what it has`;
  return toolFailure(`Cannot find ${JSON.stringify(query)} in the Rust documentation; ${hint}`);
}
