import { CONFIG_SCHEMA } from "../../core/config/config_schema.ts";
import { PRESETS } from "../../core/config/presets.ts";
import { SchemaNode, tableKeys } from "../../core/config/schema_tree.ts";

/** The page, formatted. */
export const CONFIG_PAGE = new URL("../../docs/configuration.md", import.meta.url);

const INTRO = `# Configuration

rho reads two TOML files, both optional: your own, \`~/.rho/config.toml\` (\`RHO_HOME\` moves the
folder), and the project's, \`.rho/config.toml\` below its root. Flags win over the project's file,
that over yours, yours over the defaults, key by key. Tables merge, lists replace each other, except
that \`denied_commands\`, \`denied_flag_combos\` and \`custom_patterns\` of both files apply.

A file that is not TOML, or holds a value of the wrong type or range, stops the start with the place
that is wrong. An unknown key warns.

## Project files and trust

A project's file counts only after a review: \`rho trust\` shows it and asks. Before that only what
makes rho stricter counts: \`agent.model\`, \`agent.reasoning_effort\`, the approval rules \`ask\` and
\`deny\`, \`denied_commands\`, \`denied_flag_combos\`, \`custom_patterns\`, and smaller numbers than yours
for \`max_iterations\`, \`token_budget\` and \`[limits]\`. Keys marked **your file only** never count in
a project's file.

## Keys and secrets

Keys of model servers are never in a file. \`api_key_env\` names the environment variable that holds
one, and a header's value \`$NAME\` stands for the variable \`NAME\`. A literal key is refused.

## Reference
`;

/** The reference page of every configuration key, made from the schema. */
export async function configReference(): Promise<string> {
  const parts = [INTRO, ...tables(new SchemaNode(CONFIG_SCHEMA), []), presetList()];
  return await format(parts.join("\n"));
}

function tables(node: SchemaNode, path: readonly string[]): string[] {
  const { shape } = node;
  if (shape.type === "list" || shape.type === "map") {
    const name = shape.type === "map" ? [...path, '"name"'] : path;
    return shape.each.shape.type === "table" ? tables(shape.each, name) : [];
  }
  if (shape.type !== "table") return [];
  const keys = tableKeys(node);
  const lines = keys.filter(([, key]) => isLine(key)).map(([name, key]) => keyLine(name, key));
  const inner = keys.filter(([, key]) => !isLine(key));
  return [
    ...(path.length === 0 || lines.length === 0 ? [] : [lines.join("\n") + "\n"]),
    ...inner.flatMap(([name, key]) => section(key, [...path, name])),
  ];
}

/** Whether a key is one value, rather than a table with a heading of its own. */
function isLine({ shape }: SchemaNode): boolean {
  return shape.type === "value" ||
    (shape.type === "list" && shape.each.shape.type !== "table");
}

function section(node: SchemaNode, path: readonly string[]): string[] {
  const { shape } = node;
  const named = shape.type === "map" && shape.each.shape.type === "table";
  const name = [...path, ...(named ? ['"name"'] : [])].join(".");
  const heading = shape.type === "list" ? `[[${name}]]` : `[${name}]`;
  // The old form has the same keys.
  if (name === "provider") return [`### \`[provider]\`\n\n${node.about}\n`];
  const values = shape.type === "map" && !named
    ? [`Each value must be ${shape.each.wanted}.\n`]
    : [];
  return [`### \`${heading}\`\n\n${node.about}\n`, ...values, ...tables(node, path)];
}

function keyLine(name: string, node: SchemaNode): string {
  const { default: preset, userFileOnly } = node.facts;
  const facts = [
    node.wanted,
    ...(preset === undefined ? [] : [`default \`${preset}\``]),
    ...(userFileOnly === true ? ["**your file only**"] : []),
  ];
  return `- \`${name}\`: ${node.about} (${facts.join("; ")})`;
}

function presetList(): string {
  const lines = [...PRESETS].filter(([name]) => name !== "demo").map(([name, preset]) => {
    const key = preset.usualKeyEnv === undefined ? "" : `, usually \`${preset.usualKeyEnv}\``;
    const api = preset.api === "responses" ? ", Responses" : "";
    return `- \`${name}\`: <${preset.endpoint}>${api}${key}`;
  });
  return ["### Presets", "", ...lines, "- `demo`: a scripted model inside rho", ""].join("\n");
}

async function format(markdown: string): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--ext", "md", "-"],
    cwd: new URL("../../", import.meta.url),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  });
  await using child = command.spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(markdown));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout);
}
