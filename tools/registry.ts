import { nearestNames } from "../core/base/text.ts";
import type { Tool } from "./tool.ts";
import { ToolError } from "./tool_error.ts";

/** What model servers accept as the name of a function. */
const NAME_REGEXP = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools of a session by name. A `Map`, so `constructor` and `__proto__` are ordinary names. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  /**
   * Adds a tool.
   *
   * @throws {ToolError} when the name is taken or is none that model servers accept.
   */
  register(tool: Tool): void {
    if (!NAME_REGEXP.test(tool.name)) {
      throw new ToolError(
        `Cannot register the tool "${tool.name}" of "${tool.source}": a name has 1 to 64 ` +
          "letters, digits, _ or -",
      );
    }
    const taken = this.#tools.get(tool.name);
    if (taken !== undefined) {
      throw new ToolError(
        `Cannot register the tool "${tool.name}" of "${tool.source}": "${taken.source}" has ` +
          "registered that name; choose another one",
      );
    }
    this.#tools.set(tool.name, tool);
  }

  /** The tool of that name, or `undefined`. */
  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** Up to three registered names that a mistyped one may stand for, nearest first. */
  near(name: string): string[] {
    return nearestNames(name, this.list().map((tool) => tool.name));
  }

  /**
   * All tools, sorted by name: the order never depends on who registered first, so the request's
   * bytes stay the same and the server's prompt cache keeps working.
   */
  list(): Tool[] {
    return [...this.#tools.values()].sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Removes every tool of one source and says which. */
  removeSource(source: string): string[] {
    const names = this.list().filter((tool) => tool.source === source).map((tool) => tool.name);
    for (const name of names) this.#tools.delete(name);
    return names;
  }
}
