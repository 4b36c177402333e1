import { type BadLink, firstBadLink } from "./bad_link.ts";
import {
  formatPath,
  isHomePath,
  isInside,
  newNameProblem,
  pathProblem,
  resolveDots,
  type SplitPath,
  splitPath,
} from "./path_rules.ts";
import {
  isMissingError,
  NATIVE_RULES as RULES,
  nearestExisting,
  pathExists,
  realPathOrUndefined,
} from "./path_probe.ts";
import { type LooseWalk, nearNames, pathSpellings, walkLoosely } from "./path_variants.ts";
import {
  missingPath,
  notAFolder,
  refusedPath,
  replacedPath,
  SandboxError,
  systemRefusal,
} from "./sandbox_error.ts";
import { openVerified } from "./verified_file.ts";

/**
 * The folder that tools may touch, and the only way from a path of a model to a path on disk.
 *
 * What it gives out is canonical (absolute, links resolved) and inside the root at that moment;
 * {@linkcode SandboxRoot.verify} and {@linkcode SandboxRoot.openFile} check again at the moment of
 * use. The runtime's own path permissions follow links, so this is the only fence. All calls to
 * the file system are synchronous: one takes 5 µs, an awaited one 60.
 */
export class SandboxRoot {
  /** The canonical path of the folder. */
  readonly root: string;
  /** The folder as it was named, made absolute; it may lead to `root` through links. */
  readonly #named: SplitPath;

  private constructor(root: string, named: SplitPath) {
    this.root = root;
    this.#named = named;
  }

  /**
   * Opens a folder as a root.
   *
   * @throws {SandboxError} `not_found` or `not_a_folder`.
   */
  static open(root: string): Promise<SandboxRoot> {
    return Promise.try(() => {
      const given = splitPath(root, RULES);
      const absolute = given.prefix === ""
        ? { prefix: splitPath(Deno.cwd(), RULES).prefix, names: below(Deno.cwd(), given.names) }
        : { ...given, names: resolveDots(given.names) };
      let canonical: string;
      try {
        canonical = Deno.realPathSync(root);
      } catch (cause) {
        throw new SandboxError("not_found", `Cannot open the root "${root}": it does not exist`, {
          cause,
        });
      }
      if (!Deno.statSync(canonical).isDirectory) {
        throw new SandboxError("not_a_folder", `Cannot open the root "${root}": it is no folder`);
      }
      return new SandboxRoot(canonical, absolute);
    });
  }

  /**
   * The canonical path of something that exists.
   *
   * @param path Relative to the root, or absolute and inside it. Tried as given first, then in the
   *   spellings of `path_variants.ts`.
   * @throws {SandboxError} `sandbox_refused`, `not_found` (with near names) or `permission_denied`.
   */
  validate(path: string): Promise<string> {
    return Promise.try(() => this.#existing(path) ?? this.#throwMissing(path));
  }

  /**
   * The canonical path that a write to `path` would reach; neither it nor its folders need exist.
   *
   * @throws {SandboxError} as {@linkcode SandboxRoot.validate}; also for a dangling link, for `..`
   *   below a folder that does not exist, and for new names that would turn into other ones.
   */
  validateForWrite(path: string): Promise<string> {
    return Promise.try(() => {
      for (const spelling of pathSpellings(path)) this.#checkDots(spelling);
      return this.#existing(path) ?? this.#creatable(this.#spellingToCreate(path), path);
    });
  }

  /** A canonical path relative to the root, with forward slashes; the root itself is `.`. */
  relative(canonical: string): string {
    const depth = splitPath(this.root, RULES).names.length;
    return splitPath(canonical, RULES).names.slice(depth).join("/") || ".";
  }

  /** Whether a canonical path is the root or lies below it. */
  contains(canonical: string): boolean {
    return isInside(this.root, canonical, RULES);
  }

  /**
   * Checks right before a use that a canonical path still is one: neither it nor the folders above
   * it have become links.
   *
   * @throws {SandboxError} `changed`.
   */
  verify(canonical: string): void {
    const { path } = nearestExisting(canonical);
    if (!this.contains(canonical) || realPathOrUndefined(path) !== path) {
      throw replacedPath(this.relative(canonical));
    }
  }

  /**
   * Opens an existing regular file by its canonical path and makes sure that the handle is the file
   * that the path names: nobody can slip a link, a pipe or another file in between.
   *
   * @throws {SandboxError} `not_a_file`, `changed`, `not_found` or `permission_denied`.
   */
  openFile(canonical: string, options: { readonly write?: boolean } = {}): Deno.FsFile {
    return openVerified(canonical, {
      write: options.write ?? false,
      shown: this.relative(canonical),
      root: this.root,
      verify: () => this.verify(canonical),
    });
  }

  #refusal(path: string, reason: string): SandboxError {
    return refusedPath({ path, root: this.root }, reason);
  }

  #outside(path: string): SandboxError {
    return this.#refusal(path, "it is outside the root");
  }

  /** The literal absolute form of a spelling, or a refusal for what is not looked up at all. */
  #absolute(spelling: string): SplitPath {
    const problem = pathProblem(spelling, { ...RULES, root: this.root });
    if (problem !== undefined) throw this.#refusal(spelling, problem);
    const split = splitPath(spelling, RULES);
    const base = split.prefix === "" ? splitPath(this.root, RULES) : split;
    const names = split.prefix === "" ? [...base.names, ...split.names] : split.names;
    return { prefix: base.prefix, names: resolveDots(names) };
  }

  /** The canonical path of the first spelling that exists. */
  #existing(path: string): string | undefined {
    const spellings = pathSpellings(path).map((spelling) => this.#absolute(spelling));
    for (const absolute of spellings) {
      const found = this.#real(absolute, path);
      if (found !== undefined) return found;
    }
    for (const absolute of spellings) {
      const walk = this.#walkInRoot(absolute);
      if (walk?.rest.length !== 0) continue;
      return this.#real({ prefix: absolute.prefix, names: walk.found }, path);
    }
    return undefined;
  }

  /** The canonical form of a path, or `undefined` where nothing is; refuses what is outside. */
  #real(absolute: SplitPath, path: string): string | undefined {
    const text = formatPath(absolute, RULES);
    const named = this.#isNamedInside(text);
    let real: string | undefined;
    try {
      real = Deno.realPathSync(text);
    } catch (error) {
      // Whether anything exists outside the root is nobody's business: one answer for all cases.
      if (!named) throw this.#outside(path);
      if (!isMissingError(error)) throw systemRefusal({ path, root: this.root }, error);
      const link = this.#firstBadLink(absolute);
      if (link !== undefined) throw this.#linkRefusal(path, link);
      return undefined;
    }
    if (this.contains(real)) return real;
    const link = named ? this.#firstBadLink(absolute) : undefined;
    throw link === undefined ? this.#outside(path) : this.#linkRefusal(path, link);
  }

  /** Whether a path is inside the root by its text, under either name of the root. */
  #isNamedInside(absolute: string): boolean {
    return this.contains(absolute) || isInside(formatPath(this.#named, RULES), absolute, RULES);
  }

  /** The names below the root, followed as they are on disk. */
  #walkInRoot(absolute: SplitPath): LooseWalk | undefined {
    const root = splitPath(this.root, RULES);
    if (!this.contains(formatPath(absolute, RULES))) return undefined;
    const names = absolute.names.slice(root.names.length);
    const walk = walkLoosely(this.root, names, (path) => {
      const real = realPathOrUndefined(path);
      return real !== undefined && this.contains(real);
    });
    return { found: [...root.names, ...walk.found], rest: walk.rest };
  }

  #firstBadLink(absolute: SplitPath): BadLink | undefined {
    const root = formatPath(this.#named, RULES);
    const paths = absolute.names
      .map((_, index) =>
        formatPath({ ...absolute, names: absolute.names.slice(0, index + 1) }, RULES)
      )
      .filter((path) => this.#isNamedInside(path) && path !== root);
    return firstBadLink(paths, (real) => this.contains(real));
  }

  #linkRefusal(path: string, link: BadLink): SandboxError {
    const end = link.dangling ? "which does not exist" : "outside the root";
    const reason = `"${this.relative(link.at)}" is a link to "${link.target}", ${end}`;
    return this.#refusal(path, reason);
  }

  /** Refuses `..` after a part that does not exist: nobody can say what it would mean. */
  #checkDots(spelling: string): void {
    const split = splitPath(spelling, RULES);
    const base = split.prefix === "" ? splitPath(this.root, RULES) : { ...split, names: [] };
    const names: string[] = [...base.names];
    for (const name of split.names) {
      if (name === "..") {
        const at = formatPath({ prefix: base.prefix, names }, RULES);
        if (this.#isNamedInside(at) && !pathExists(at)) {
          throw this.#refusal(spelling, 'it holds ".." below a folder that does not exist');
        }
        names.pop();
      } else if (name !== ".") names.push(name);
    }
  }

  /** Which spelling a new file gets: literal, unless only its folder without the `@` exists. */
  #spellingToCreate(path: string): string {
    const [literal = path, bare] = pathSpellings(path);
    if (bare === undefined) return literal;
    const first = (spelling: string) => {
      const split = this.#absolute(spelling);
      const depth = splitPath(this.root, RULES).names.length;
      return split.names.length > depth + 1
        ? formatPath({ ...split, names: split.names.slice(0, depth + 1) }, RULES)
        : undefined;
    };
    const literalFolder = first(literal);
    const bareFolder = first(bare);
    const useBare = literalFolder !== undefined && !pathExists(literalFolder) &&
      bareFolder !== undefined && pathExists(bareFolder);
    return useBare ? bare : literal;
  }

  /** The canonical path of something that does not exist yet. */
  #creatable(spelling: string, path: string): string {
    if (isHomePath(spelling)) throw this.#homeRefusal(path);
    const literal = this.#absolute(spelling);
    const walk = this.#walkInRoot(literal);
    const absolute = walk === undefined
      ? literal
      : { prefix: literal.prefix, names: [...walk.found, ...walk.rest] };
    const nearest = nearestExisting(formatPath(absolute, RULES));
    const folder = this.#real(splitPath(nearest.path, RULES), path);
    if (folder === undefined) throw this.#outside(path);
    if (!Deno.statSync(folder).isDirectory) {
      throw notAFolder({ path, root: this.root }, this.relative(folder));
    }
    for (const name of nearest.rest) {
      const problem = newNameProblem(name, RULES);
      if (problem !== undefined) throw this.#refusal(path, problem);
    }
    const canonical = splitPath(folder, RULES);
    return formatPath({ ...canonical, names: [...canonical.names, ...nearest.rest] }, RULES);
  }

  #throwMissing(path: string): never {
    if (isHomePath(path)) throw this.#homeRefusal(path);
    const absolute = this.#absolute(path);
    const walk = this.#walkInRoot(absolute);
    const near = walk === undefined ? [] : this.#nearPaths(absolute.prefix, walk);
    throw missingPath({ path, root: this.root }, near);
  }

  #nearPaths(prefix: string, walk: LooseWalk): string[] {
    const [wanted, ...below] = walk.rest;
    const folder = formatPath({ prefix, names: walk.found }, RULES);
    if (wanted === undefined) return [];
    return nearNames(folder, wanted)
      .map((name) => formatPath({ prefix, names: [...walk.found, name, ...below] }, RULES))
      .filter((candidate) => pathExists(candidate))
      .map((candidate) => this.relative(candidate));
  }

  #homeRefusal(path: string): SandboxError {
    return this.#refusal(path, '"~" is not expanded');
  }
}

function below(folder: string, names: readonly string[]): string[] {
  return resolveDots([...splitPath(folder, RULES).names, ...names]);
}
