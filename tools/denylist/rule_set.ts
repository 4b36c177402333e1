import type { DenylistSettings } from "../../core/config/settings.ts";
import {
  DENIED_COMBINATIONS,
  DENIED_NAMES,
  DEVICE_RULE,
  HARMLESS_DEVICES,
  NETWORK_TYPES,
  POWERSHELL_NAMES,
  WINDOWS_NAMES,
} from "./built_in_rules.ts";
import { type CommandPattern, matchesArguments, parsePattern } from "./command_pattern.ts";
import { programName } from "./program_name.ts";
import { RUNTIME, type ScriptLanguage } from "./shell_word.ts";

/** Options of {@linkcode RuleSet}. */
export interface RuleSetOptions {
  readonly denylist: DenylistSettings;
  /** @default {Deno.build.os} */
  readonly os?: typeof Deno.build.os;
}

/** The rules of the denylist, built-in and configured. */
export class RuleSet {
  /** Built-in patterns that hold, by the program's lower-case name where they have one. */
  readonly #builtIn: readonly CommandPattern[];
  readonly #denied: readonly CommandPattern[];
  readonly #allowed: readonly CommandPattern[];
  readonly #types: readonly string[];
  readonly #hasDeviceRule: boolean;
  readonly #aliases: Readonly<Record<"any" | "powershell", ReadonlyMap<string, string>>>;

  constructor(options: RuleSetOptions) {
    const { deniedCommands, deniedFlagCombos, allowedCommands } = options.denylist;
    const allowed = new Set(allowedCommands.map(normalLabel));
    const holds = (label: string) => !allowed.has(normalLabel(label));
    const any = aliasMap(DENIED_NAMES);
    const windows = (options.os ?? Deno.build.os) === "windows" ? aliasMap(WINDOWS_NAMES) : [];
    this.#aliases = {
      any: new Map(any),
      powershell: new Map([...any, ...aliasMap(POWERSHELL_NAMES), ...windows]),
    };
    this.#builtIn = [...Object.keys(DENIED_NAMES), ...DENIED_COMBINATIONS]
      .filter(holds).map((rule) => parsePattern(rule)).filter((rule) => rule !== undefined);
    this.#denied = [...deniedCommands, ...deniedFlagCombos]
      .map((rule) => parsePattern(rule)).filter((rule) => rule !== undefined);
    // An entry of flags alone takes the rule of the same name away and nothing else.
    this.#allowed = allowedCommands.map((rule) => parsePattern(rule))
      .filter((rule) => rule?.name !== undefined).filter((rule) => rule !== undefined);
    this.#types = NETWORK_TYPES.filter((type) =>
      holds(".NET network types") && ![...allowed].some((name) => name.includes(type))
    );
    this.#hasDeviceRule = holds(DEVICE_RULE) && holds("dd");
  }

  /** The rule that denies a command, or `undefined`. */
  deniedBy(words: readonly string[], language: ScriptLanguage): string | undefined {
    const [first = ""] = words;
    const names = this.#names(first, language);
    const fits = (pattern: CommandPattern) =>
      (pattern.name === undefined || names.some((name) => pattern.name?.test(name))) &&
      matchesArguments(pattern, words);
    const configured = this.#denied.find(fits);
    if (configured !== undefined) return configured.label;
    if (this.#allowed.some(fits)) return undefined;
    const builtIn = this.#builtIn.find(fits);
    if (builtIn !== undefined) return builtIn.label;
    if (names[0] === "dd") return this.#deviceRule(words);
    return undefined;
  }

  /** The rule that denies a redirect to or from a file, or `undefined`. */
  deniedRedirect(path: string): string | undefined {
    const socket = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path);
    if (socket !== null) {
      const isLocal = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|0)$/.test(socket[1] ?? "");
      return isLocal ? undefined : this.deniedBy(["nc"], "posix");
    }
    return this.#hasDeviceRule && isDevice(path) ? DEVICE_RULE : undefined;
  }

  /** The rule that denies a text with names of `.NET` types, or `undefined`. */
  deniedType(text: string): string | undefined {
    if (this.#types.length === 0) return undefined;
    const bare = text.toLowerCase().replace(/['"`+\s()\u2018-\u201e]/g, "");
    const type = this.#types.find((part) => bare.includes(part));
    return type === undefined ? undefined : `.NET network types (${type.replace(/\.$/, "")})`;
  }

  #deviceRule(words: readonly string[]): string | undefined {
    if (!this.#hasDeviceRule) return undefined;
    return words.some((word) => word.startsWith("of=") && isDevice(word.slice("of=".length)))
      ? DEVICE_RULE
      : undefined;
  }

  #names(first: string, language: ScriptLanguage): string[] {
    const name = programName(first);
    const aliases = language === "powershell" ? this.#aliases.powershell : this.#aliases.any;
    const whole = aliases.get(name);
    return whole === undefined ? [name] : [name, whole.toLowerCase()];
  }
}

function aliasMap(names: Readonly<Record<string, readonly string[]>>): [string, string][] {
  return Object.entries(names).flatMap(([name, aliases]) =>
    aliases.map((alias): [string, string] => [alias, name])
  );
}

function normalLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Whether a path leads to a device on which data would be lost. */
function isDevice(path: string): boolean {
  const parts: string[] = [];
  if (path[0] !== "/") return false;
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const plain = `/${parts.join("/")}`;
  if (!plain.startsWith("/dev/") || HARMLESS_DEVICES.has(plain)) return false;
  return !/^\/dev\/(?:fd|shm|mqueue|pts)\//.test(plain) || plain.includes(RUNTIME);
}
