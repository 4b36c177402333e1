import { withTrees } from "../syntax/parse_text.ts";
import { readBashScript } from "./bash_reader.ts";
import { readCmdScript } from "./cmd_reader.ts";
import type { InnerScript } from "./inner_commands.ts";
import { readPowerShellScript } from "./powershell_reader.ts";
import { EMPTY_READING, type ScriptReading } from "./script_reading.ts";
import { withoutMarks } from "./shell_word.ts";

const MAX_UNITS = 256 * 1024;
const BOUNDS = { maxUnits: MAX_UNITS, maxLineUnits: MAX_UNITS, maxParseMs: 300 } as const;

/** A script whose nodes stand in each other deeper than the stack reaches. */
const TOO_DEEP: ScriptReading = {
  ...EMPTY_READING,
  isSound: false,
  questions: ["its parts stand too deep inside of each other"],
};

/** A script that could not be parsed; nothing is known of it. */
const UNREADABLE: ScriptReading = { ...EMPTY_READING, isSound: false };

/** Parses a script in its language and reads every command in it. */
export async function readScript(script: InnerScript): Promise<ScriptReading> {
  const text = withoutMarks(script.text);
  const { input } = script;
  switch (script.language) {
    case "cmd":
      return readCmdScript(text);
    case "posix": {
      const options = {
        input,
        ...(script.variables === undefined ? {} : { variables: script.variables }),
      };
      const reading = await withTrees(
        [text],
        { ...BOUNDS, grammar: "bash" },
        ([tree]) => tree && withinStack(() => readBashScript(text, tree, options)),
      );
      return reading ?? UNREADABLE;
    }
    case "powershell": {
      const readAs = async (source: string) =>
        await withTrees(
          [source],
          { ...BOUNDS, grammar: "powershell" },
          ([tree]) => tree && withinStack(() => readPowerShellScript(tree, input)),
        ) ?? UNREADABLE;
      const reading = await readAs(text);
      if (reading.isSound) return reading;
      const plainer = withoutGaps(text);
      return plainer === text ? reading : await readAs(plainer);
    }
  }
}

/** The readers follow the tree by calling themselves, which a hostile text can make go too deep. */
function withinStack(read: () => ScriptReading): ScriptReading {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

/**
 * The grammar knows neither a bare `--` nor a path that starts with `./`. Both are written in a way
 * that means the same.
 */
function withoutGaps(text: string): string {
  return text
    .replace(/(?<=\s)--(?=\s|$)/g, () => "'--'")
    .replace(/(^|[\s;|&({])\.\//g, (_, before: string) => `${before}.\\`);
}
