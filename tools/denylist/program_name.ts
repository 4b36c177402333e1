import { RUNTIME, type ShellWord } from "./shell_word.ts";

/** GNU programs as other systems call them. */
const PREFIXED: ReadonlySet<string> = new Set([
  "grm",
  "gdd",
  "gxargs",
  "gfind",
  "gtimeout",
  "genv",
  "gnice",
  "gnohup",
  "gstdbuf",
]);

/** The name of a program without folder, `.exe` and case. */
export function programName(text: string): string {
  const base = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  const name = base.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, "").replace(/^\^/, "");
  return PREFIXED.has(name) ? name.slice(1) : name;
}

/** Whether the name of a command is only known when it runs; its folder does not matter. */
export function isRuntimeName(word: ShellWord): boolean {
  if (word.isLoose) return true;
  const base = Math.max(word.text.lastIndexOf("/"), word.text.lastIndexOf("\\")) + 1;
  return word.knownFrom > base || word.text.includes(RUNTIME, base);
}
