import { stringField } from "../../json_value.ts";
import { clipLine, counted, firstOf } from "./clip.ts";
import { parseFramed } from "./framed_text.ts";
import { type OutlineInput, pathArgument, type ResultOutline } from "./outline_input.ts";

const MATCH_REGEXP = /^([^:\n]{1,300}):(\d+):/;

/** `search_files`: the pattern, how many matches, in which files. */
export function outlineSearch(input: OutlineInput): ResultOutline {
  const { outside, blocks } = parseFramed(input.content);
  const text = blocks.length === 0 ? outside : blocks.map((block) => block.body).join("\n");
  const matches = new Map<string, number>();
  for (const row of text.split("\n")) {
    const path = MATCH_REGEXP.exec(row)?.[1];
    if (path !== undefined) matches.set(path, (matches.get(path) ?? 0) + 1);
  }
  const total = [...matches.values()].reduce((sum, count) => sum + count, 0);
  const pattern = clipLine(stringField(input.args, "pattern") ?? "", 100);
  const head = `${input.name} \`${pattern}\`: ${counted(total, "match", "matches")} in ` +
    counted(matches.size, "file");
  const files = [...matches].map(([path, count]) => `${path} (${count})`);
  if (total === 0) {
    const said = clipLine(outside === "" ? text : outside, 200);
    return {
      outline: `[shortened] ${input.name} \`${pattern}\`: ${said}`,
      summary: `[shortened] ${input.name} \`${pattern}\`: ${clipLine(said, 80)}`,
    };
  }
  return {
    outline: `[shortened] ${head}\n${firstOf(files, 30)}`,
    summary: `[shortened] ${head}: ${clipLine(firstOf([...matches.keys()], 4), 120)}`,
  };
}

const MAX_NAMES = 24;

/** `list_dir`, `find_files`: the folder or pattern, how many entries, the first of them. */
export function outlineListing(input: OutlineInput): ResultOutline {
  const { outside, blocks } = parseFramed(input.content);
  const rows = (blocks[0]?.body ?? outside).split("\n").filter((row) => row.trim() !== "");
  const pattern = stringField(input.args, "pattern");
  const what = pattern === undefined ? pathArgument(input.args) : `\`${clipLine(pattern, 80)}\``;
  const head = `${input.name} ${what}: ${counted(rows.length, "entry", "entries")}`;
  // Names at the top tell more about a project than what lies deep inside.
  const top = rows.filter((row) => !row.startsWith(" "));
  const names = (top.length > 0 ? top : rows).map((row) => clipLine(row, 60));
  return {
    outline: `[shortened] ${head}\n${firstOf(names, MAX_NAMES)}`,
    summary: `[shortened] ${head}`,
  };
}
