import { RhoError } from "../../core/base/errors.ts";
import { wildmatch } from "./wildmatch.ts";

const MAX_ALTERNATIVES = 64;

/** A glob that cannot be used. */
export class GlobError extends RhoError {
  constructor(glob: string, reason: string) {
    super("bad_glob", `Cannot use the glob "${glob}": ${reason}`, { data: { glob } });
  }
}

/** A file as a glob sees it. */
export interface GlobbedFile {
  readonly name: string;
  /** Relative to the root, with forward slashes. */
  readonly path: string;
}

/**
 * A glob for files as `rg` and `.gitignore` write it: `*`, `?`, `[a-z]`, `{a,b}`, a double star over
 * folders. Without a slash it is compared with the name alone, otherwise with the path from the
 * folder that is searched or from the root. A folder's name with a slash at its end means all in it;
 * a `!` in front means all but these.
 */
export class Glob {
  readonly #isNegated: boolean;
  readonly #isName: boolean;
  readonly #patterns: readonly string[];
  readonly #prefixUnits: number;

  /**
   * @param base The searched folder, relative to the root; `.` for the root itself.
   * @throws {GlobError} when it has more than 64 alternatives.
   */
  constructor(glob: string, base: string) {
    this.#isNegated = glob.startsWith("!");
    const trimmed = glob.slice(this.#isNegated ? 1 : 0).replace(/^(?:\.?\/)+/, "");
    if (trimmed === "") throw new GlobError(glob, 'it matches nothing; "*" matches every file');
    const whole = trimmed.endsWith("/") ? `${trimmed}**` : trimmed;
    this.#isName = !whole.includes("/") && !/^!?\.?\//.test(glob);
    const patterns = expandBraces(whole);
    if (patterns === undefined) {
      throw new GlobError(
        glob,
        `it stands for more than ${MAX_ALTERNATIVES} globs; write fewer {}`,
      );
    }
    this.#patterns = patterns;
    this.#prefixUnits = base === "." ? 0 : base.length + 1;
  }

  /** Whether a file below the searched folder is meant. */
  matches(file: GlobbedFile): boolean {
    return this.#patterns.some((pattern) => this.#matchesOne(pattern, file)) !== this.#isNegated;
  }

  #matchesOne(pattern: string, file: GlobbedFile): boolean {
    if (this.#isName) return wildmatch(pattern, file.name, { isPath: true });
    if (wildmatch(pattern, file.path, { isPath: true })) return true;
    return this.#prefixUnits > 0 &&
      wildmatch(pattern, file.path.slice(this.#prefixUnits), { isPath: true });
  }
}

/** Every text that a pattern with `{a,b}` stands for; `undefined` when they are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const brace = firstBrace(text);
    if (brace === undefined) done.push(text);
    else {
      const { start, end, options } = brace;
      for (const option of options) open.push(text.slice(0, start) + option + text.slice(end));
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
  }
  return done;
}

/** The first closed pair of braces with a comma between them, nested ones left inside. */
function firstBrace(text: string) {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    if (text[start - 1] === "\\") continue;
    const options: string[] = [];
    let from = start + 1;
    let depth = 0;
    for (let i = start; i < text.length; i++) {
      const char = text[i];
      if (char === "\\") i += 1;
      else if (char === "{") depth += 1;
      else if (char === "," && depth === 1) {
        options.push(text.slice(from, i));
        from = i + 1;
      } else if (char === "}" && --depth === 0) {
        options.push(text.slice(from, i));
        if (options.length > 1) return { start, end: i + 1, options };
        break;
      }
    }
  }
  return undefined;
}
