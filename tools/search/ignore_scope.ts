import { joinPath } from "../../core/base/paths.ts";
import { IgnoreRules, type IgnoreVerdict, toByteString } from "./ignore_rules.ts";
import { excludeFile } from "./git_folder.ts";
import { readSmallFile } from "./small_file.ts";

/** One ignore file and what stands above it. */
interface RuleLevel {
  readonly rules: IgnoreRules;
  /** How long the path of its folder is, with the slash behind it. */
  readonly prefixUnits: number;
  readonly above: RuleLevel | undefined;
}

/**
 * The ignore rules that hold in one folder. They come, the stronger first, from `.ignore` files,
 * from `.gitignore` files, and from `info/exclude` of the repository; a deeper file is stronger than
 * a higher one, and in a file the last rule that matches counts.
 *
 * A folder with a `.git` of its own starts afresh with git's rules, as a repository inside another
 * one does for git. A `.gitignore` counts outside of repositories too.
 */
export class IgnoreScope {
  /** The path of this folder below the outermost one, empty or with a slash at its end. */
  readonly #prefix: string;
  readonly #git: RuleLevel | undefined;
  readonly #plain: RuleLevel | undefined;

  private constructor(
    prefix: string,
    git: RuleLevel | undefined,
    plain: RuleLevel | undefined,
  ) {
    this.#prefix = prefix;
    this.#git = git;
    this.#plain = plain;
  }

  /** The rules of an outermost folder. */
  static outermost(folder: string): IgnoreScope {
    return new IgnoreScope("", undefined, undefined).#with(folder, { has: () => true });
  }

  /**
   * The rules of a folder below.
   *
   * @param below.names What the folder holds, so that nothing is opened in vain.
   */
  enter(
    name: string,
    below: { readonly folder: string; readonly names: { has(name: string): boolean } },
  ): IgnoreScope {
    const prefix = `${this.#prefix}${toByteString(name)}/`;
    return new IgnoreScope(prefix, this.#git, this.#plain).#with(below.folder, below.names);
  }

  /** Whether an entry of this folder is ignored. */
  ignores(name: string, isFolder: boolean): boolean {
    if (this.#git === undefined && this.#plain === undefined) return false;
    const entry = { name: toByteString(name), isFolder };
    const path = this.#prefix + entry.name;
    return (verdict(this.#plain, entry, path) ?? verdict(this.#git, entry, path)) === "ignored";
  }

  #with(folder: string, names: { has(name: string): boolean }): IgnoreScope {
    const prefixUnits = this.#prefix.length;
    const add = (above: RuleLevel | undefined, path: string | undefined) => {
      const bytes = path === undefined ? undefined : readSmallFile(path);
      const rules = bytes === undefined ? undefined : IgnoreRules.parse(bytes);
      return rules === undefined ? above : { rules, prefixUnits, above };
    };
    let git = this.#git;
    if (names.has(".git")) {
      const exclude = excludeFile(folder);
      if (exclude !== undefined) git = add(undefined, exclude.path);
    }
    if (names.has(".gitignore")) git = add(git, joinPath(folder, ".gitignore"));
    const plain = names.has(".ignore")
      ? add(this.#plain, joinPath(folder, ".ignore"))
      : this.#plain;
    return git === this.#git && plain === this.#plain
      ? this
      : new IgnoreScope(this.#prefix, git, plain);
  }
}

function verdict(
  levels: RuleLevel | undefined,
  entry: { readonly name: string; readonly isFolder: boolean },
  path: string,
): IgnoreVerdict {
  for (let level = levels; level !== undefined; level = level.above) {
    const found = level.rules.verdict({ ...entry, path: path.slice(level.prefixUnits) });
    if (found !== undefined) return found;
  }
  return undefined;
}
