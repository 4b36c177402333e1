import type * as v from "valibot";
import { isAbsolutePath } from "../base/paths.ts";
import { AGENT_SCHEMA } from "./agent_schema.ts";
import { EXTENSION_SCHEMA } from "./extension_schema.ts";
import { PROVIDER_SCHEMA } from "./provider_schema.ts";
import {
  flag,
  key,
  list,
  nonEmpty,
  number,
  oneOf,
  table,
  tableOf,
  text,
  texts,
  textThat,
  variableName,
  wholeNumber,
} from "./schema_scalars.ts";

const WEEK_SECS = 604_800;

function isInsideRoot(path: string): boolean {
  return !isAbsolutePath(path) && !/^[\\/~]|^[A-Za-z]:|\0/.test(path) &&
    !path.split(/[\\/]/).includes("..");
}

/**
 * Every key of `config.toml`: its type, its range, what it is for, its default, and whether a
 * project file may hold it. Checks, warnings, the trust gate and `docs/configuration.md` are made
 * from it.
 */
export const CONFIG_SCHEMA = table({
  agent: key(AGENT_SCHEMA, "The model and the loop around it."),
  providers: key(
    list(PROVIDER_SCHEMA, "a list of tables, each under its own [[providers]]"),
    "Model servers, each under `[[providers]]`. A project's entry replaces the user's one of the " +
      "same name, others are added.",
  ),
  provider: key(PROVIDER_SCHEMA, "The old form of a single `[[providers]]` entry; it still works."),
  approval: key(
    table({
      per_tool: key(
        tableOf(oneOf(["auto", "ask", "deny"])),
        "What becomes of a tool's calls, by the tool's name.",
        { default: "{}" },
      ),
      commands: key(texts(), "Commands that run unasked, compared part by part.", {
        default: "[]",
        userFileOnly: true,
      }),
    }),
    "Which calls are asked about.",
  ),
  shell: key(
    table({
      program: key(text(), "The shell for commands: a name, a path, or `auto`.", {
        default: '"auto"',
      }),
      denied_commands: key(texts(), "Commands that never run, besides the built-in ones.", {
        default: "[]",
      }),
      denied_flag_combos: key(
        list(
          nonEmpty(texts(), "a list of texts that is not empty"),
          "a list of lists of texts",
        ),
        "Flags that deny a command when all of a combination are given.",
        { default: "[]" },
      ),
      allowed_commands: key(texts(), "Built-in denied commands that may be asked for again.", {
        default: "[]",
        userFileOnly: true,
      }),
      pass_env: key(
        list(variableName(), "a list of names of environment variables"),
        "Secret environment variables that commands see all the same.",
        { default: "[]", userFileOnly: true },
      ),
      on_denied: key(
        oneOf(["refuse", "ask"]),
        "Whether a denied command is refused, or a person may approve that one call.",
        { default: '"refuse"', userFileOnly: true },
      ),
    }),
    "How commands run, and which never do.",
  ),
  context: key(
    table({
      scan_list: key(
        list(
          textThat(isInsideRoot, 'a path inside the project, such as "AGENTS.md"'),
          "a list of paths inside the project",
        ),
        "Project files whose text joins the system prompt once they are reviewed, in this order.",
        { default: '["AGENTS.md", ".agents.md", "CLAUDE.md", ".cursorrules", ".rho/prompt.md"]' },
      ),
    }),
    "What the model is told about the project.",
  ),
  limits: key(
    table({
      max_cost_usd: key(number(0, 1_000_000), "The most a session may cost, in US dollars.", {
        default: "0",
      }),
      max_total_tokens: key(
        wholeNumber(0, 1_000_000_000_000),
        "The most tokens of a session, input and output.",
        { default: "0" },
      ),
      max_turn_secs: key(number(0, WEEK_SECS), "The longest turn.", { default: "0" }),
    }),
    "What may be used up; 0 is no limit. A turn that reaches one ends as `budget`.",
  ),
  redaction: key(
    table({
      enabled: key(
        flag(),
        "Mask secrets in what the model sees. What is stored is always masked.",
        { default: "true", userFileOnly: true },
      ),
      custom_patterns: key(
        texts(),
        "Patterns in RE2 syntax that are masked after the built-in ones.",
        { default: "[]" },
      ),
    }),
    "How secrets are masked.",
  ),
  sessions: key(
    table({
      fsync: key(
        oneOf(["turn", "entry", "never"]),
        "When session files are synced to disk.",
        { default: '"turn"' },
      ),
    }),
    "How sessions are stored.",
  ),
  memory: key(
    table({ enabled: key(flag(), "Give the model the memory tool.", { default: "false" }) }),
    "The project's knowledge base.",
  ),
  system_prompt: key(
    table({ extensions: key(texts(), "Texts that end the system prompt.", { default: "[]" }) }),
    "What is added to the system prompt.",
  ),
  extensions: key(EXTENSION_SCHEMA, "Which extensions load, and what they may do."),
  trust: key(
    table({
      extensions: key(
        oneOf(["review", "auto"]),
        "Whether project extensions run only after a review, or at once.",
        { default: '"review"', userFileOnly: true },
      ),
    }),
    "What must be reviewed.",
  ),
  consent: key(
    table({
      providers: key(
        texts(),
        "Names of external providers that may get prompts, files and output without " +
          "`--accept-external-provider`.",
        { default: "[]", userFileOnly: true },
      ),
    }),
    "What you agreed to for good.",
  ),
});

/** A configuration file, checked: what it says and nothing else. */
export type ConfigFile = v.InferOutput<typeof CONFIG_SCHEMA>;
