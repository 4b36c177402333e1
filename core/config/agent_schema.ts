import { flag, key, number, oneOf, table, text, textThat, wholeNumber } from "./schema_scalars.ts";

const DAY_SECS = 86_400;

/** `[agent]` */
export const AGENT_SCHEMA = table({
  model: key(text(), "The model, or `provider:id`."),
  provider: key(text(), "The name of the provider that model ids without a prefix go to."),
  max_iterations: key(wholeNumber(1, 100_000), "The most model responses of one turn.", {
    default: "32",
  }),
  retry_budget: key(wholeNumber(0, 100), "The most repeated requests of one response.", {
    default: "4",
  }),
  initial_backoff_ms: key(
    wholeNumber(0, 30_000),
    "The wait before the first repeated request, in milliseconds; doubled each time.",
    { default: "500" },
  ),
  token_budget: key(wholeNumber(1024, 100_000_000), "The context window, in tokens.", {
    default: "32768",
  }),
  completion_reserve: key(
    wholeNumber(1, 100_000_000),
    "Tokens kept free for the reply, never more than half of the window. Without it: the smaller " +
      "of 8192 and a quarter of the window.",
  ),
  tool_output_fraction: key(
    number(0.01, 1),
    "The part of the prompt budget that one tool result may fill; a longer one is cut.",
    { default: "0.25" },
  ),
  stuck_loop_threshold: key(
    wholeNumber(0, 1000),
    "Equal steps in a row that count as stuck; 0 turns the check off.",
    { default: "3" },
  ),
  max_consecutive_empty: key(
    wholeNumber(0, 1000),
    "Empty replies in a row that end a turn; 0 leaves them to `max_iterations`.",
    { default: "5" },
  ),
  show_reasoning: key(
    flag(),
    "Show the model's reasoning in `rho run` and `rho demo`; protocol clients always get it.",
    { default: "false" },
  ),
  reasoning_effort: key(
    textThat((value) => /^[\w.-]{1,64}$/.test(value), 'a word such as "low", "medium" or "high"'),
    "How long a reasoning model shall think; which words it knows is the model's affair.",
  ),
  temperature: key(number(0, 2), "The sampling temperature; sent only when set."),
  auto_compact_threshold: key(
    wholeNumber(0, 100),
    "Compact older turns when the conversation fills this many percent of its room; 0 is off, " +
      "over 85 counts as 85.",
    { default: "0" },
  ),
  compaction_mode: key(
    oneOf(["mechanical", "llm"]),
    "Who writes a compaction's notes: rho from the log, or the model in addition.",
    { default: '"mechanical"' },
  ),
  first_token_timeout_secs: key(
    number(0, DAY_SECS),
    "The longest wait for the first token; 0 is no limit. Without it: 90, and 600 for models on " +
      "this machine.",
  ),
  stream_idle_timeout_secs: key(
    number(0, DAY_SECS),
    "The longest silence inside a reply; 0 is no limit.",
    { default: "60" },
  ),
  connect_timeout_secs: key(
    number(0, DAY_SECS),
    "The longest wait for a connection; 0 is no limit.",
    { default: "30" },
  ),
  request_timeout_secs: key(
    number(0, DAY_SECS),
    "The longest time for a whole reply; 0 is no limit.",
    { default: "0" },
  ),
});
