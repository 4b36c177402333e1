import { DEFAULT_SETTINGS, type DenylistSettings } from "../../../core/config/settings.ts";
import { CommandJudge } from "../../../tools/denylist/command_judge.ts";
import type { ScriptLanguage } from "../../../tools/denylist/shell_word.ts";

/** How a test judges. */
export interface JudgingOptions {
  readonly denylist?: Partial<DenylistSettings>;
  readonly approvedCommands?: readonly string[];
  readonly language?: ScriptLanguage;
  readonly stdin?: string;
  readonly os?: typeof Deno.build.os;
}

/** A verdict as one text: `allowed`, `approved`, `ask` or `refused: <rule>`. */
export async function judged(command: string, options: JudgingOptions = {}): Promise<string> {
  const { language = "posix", stdin, approvedCommands = [], os = "linux" } = options;
  const judge = new CommandJudge({
    denylist: { ...DEFAULT_SETTINGS.denylist, ...options.denylist },
    approvedCommands,
    os,
  });
  const verdict = await judge.judgeShell({
    command,
    language,
    ...(stdin === undefined ? {} : { stdin }),
  });
  switch (verdict.type) {
    case "allowed":
      return verdict.isApproved ? "approved" : "allowed";
    case "ask":
      return "ask";
    case "refused":
      return `refused: ${verdict.rule}`;
  }
}
