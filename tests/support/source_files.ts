/** The repository's own source, for tests that look at its shape. */

const ROOT = new URL("../../", import.meta.url);
const SOURCE_FOLDERS = ["core", "sessions", "tools", "ext", "prompts"];

/** One source file. */
export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of the product, `main.ts` included; no tests. */
export function sourceFiles(): SourceFile[] {
  const paths = ["main.ts", ...SOURCE_FOLDERS.flatMap((folder) => [...walk(folder)])];
  return paths.sort().map((path) => ({ path, text: Deno.readTextFileSync(new URL(path, ROOT)) }));
}

/** Every TypeScript file of the tests. */
export function testFiles(): SourceFile[] {
  return [...walk("tests")].sort().map((path) => ({
    path,
    text: Deno.readTextFileSync(new URL(path, ROOT)),
  }));
}

/** The text without comments, roughly: enough to look for words in code. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`])\/\/.*$/gm, "$1");
}

/** The specifiers of all static and dynamic imports of a file. */
export function importsOf(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  const patterns = [
    /\bfrom\s+"([^"]+)"/g,
    /^\s*import\s+"([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map((found) => found[1] ?? ""));
}

/** A relative import as a path in the repository. */
export function resolveImport(from: string, specifier: string): string {
  return new URL(specifier, new URL(from, "file:///")).pathname.slice(1);
}

function* walk(folder: string): Generator<string> {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(new URL(folder, ROOT))];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  for (const { name, isDirectory } of entries) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* walk(path);
    else if (name.endsWith(".ts")) yield path;
  }
}
