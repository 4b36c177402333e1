import type { RuleSet } from "./rule_set.ts";
import type { ScriptLanguage } from "./shell_word.ts";

const MAX_FOLLOWING_WORDS = 64;
const SPACE_REGEXP = /[\s;|&<>(){}`"'$,]+/;

/**
 * Checks a text that does not follow any grammar word by word: each word may be the name of a
 * command. Once with quotes and escapes as ends of words, once as if they were not there.
 *
 * @returns the rule that denies it, with what it hit.
 */
export function scanWords(
  text: string,
  options: { readonly rules: RuleSet; readonly language: ScriptLanguage },
): { readonly rule: string; readonly command: string } | undefined {
  const { rules, language } = options;
  const bare = text.replace(/["'`^\\]|\$(?=["'])/g, "");
  for (const version of text === bare ? [text] : [text, bare]) {
    const words = version.split(SPACE_REGEXP).filter((word) => word !== "");
    for (let at = 0; at < words.length; at++) {
      const command = words.slice(at, at + MAX_FOLLOWING_WORDS);
      const rule = rules.deniedBy(command, language);
      if (rule !== undefined) return { rule, command: command.slice(0, 4).join(" ") };
    }
  }
  return undefined;
}
