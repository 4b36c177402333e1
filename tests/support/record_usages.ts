/**
 * Records what tokenizers count for two coding conversations, request by request, into
 * `tests/fixtures/context/usages.json`. Run it again only to change the recordings:
 *
 * ```sh
 * deno run -A --no-prompt tests/support/record_usages.ts
 * ```
 *
 * Counts of the GPT generations come from their own vocabularies. There is none of the other
 * families on npm that runs offline, so their counts are derived, and say so: Llama 3 extends
 * cl100k_base (its report compares them at about equal compression), Qwen 2.5 takes cl100k_base
 * with every digit a token of its own, Claude is counted at 1.2 times cl100k_base on code, Mistral's
 * 32k vocabulary at 1.25 times.
 */

import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as p50k } from "gpt-tokenizer/encoding/p50k_base";
import { encode as r50k } from "gpt-tokenizer/encoding/r50k_base";
import type { LlmMessage } from "../../core/llm/types.ts";

const FIXTURE = new URL("../fixtures/context/usages.json", import.meta.url);
const ROOT = new URL("../../", import.meta.url);

/** What chat templates put around each message, in tokens. */
const MESSAGE_TOKENS = 4;

type Count = (text: string) => number;

const MODELS: readonly (readonly [string, string, Count])[] = [
  ["gpt-5-mini", "o200k_base", (text) => o200k(text).length],
  ["gpt-4-turbo", "cl100k_base", (text) => cl100k(text).length],
  ["gpt-3.5-codex", "p50k_base", (text) => p50k(text).length],
  ["gpt-2", "r50k_base", (text) => r50k(text).length],
  ["meta-llama/llama-3.3-70b", "derived: cl100k_base × 1.0", (text) => cl100k(text).length],
  ["qwen2.5-coder-32b", "derived: cl100k_base with single digits", countWithSingleDigits],
  ["anthropic/claude-sonnet-4", "derived: cl100k_base × 1.2", (text) => cl100k(text).length * 1.2],
  ["mistral-small", "derived: cl100k_base × 1.25", (text) => cl100k(text).length * 1.25],
];

function countWithSingleDigits(text: string): number {
  const runs = [...text.matchAll(/\d{2,}/g)];
  const extra = runs.reduce((sum, [run]) => sum + run.length - Math.ceil(run.length / 3), 0);
  return cl100k(text).length + extra;
}

function read(path: string, lines: number): string {
  const rows = Deno.readTextFileSync(new URL(path, ROOT)).split("\n").slice(0, lines);
  const letters = "ZPMQVRWSNKTXJBYH";
  const hash = (row: string) =>
    [7, 11, 13, 17].map((prime) => letters[(row.length * prime + (row.charCodeAt(prime) | 0)) % 16])
      .join("");
  const body = rows.map((row, index) => `${index + 1}#${hash(row)}:${row}`).join("\n");
  return `<context path="${path}" lines="1-${lines}/${lines}">\n${body}\n<context:end>`;
}

function step(name: string, args: unknown, result: string): LlmMessage[] {
  const id = "call_1";
  return [
    { role: "assistant", content: "", toolCalls: [{ id, name, arguments: JSON.stringify(args) }] },
    { role: "tool", toolCallId: id, content: result },
  ];
}

/** Each list of messages is what one request adds to the one before it. */
const CONVERSATIONS: Readonly<Record<string, readonly (readonly LlmMessage[])[]>> = {
  code: [
    [
      { role: "system", content: Deno.readTextFileSync(new URL("prompts/base.md", ROOT)) },
      {
        role: "user",
        content: "The cursor loses its name when it is forked. Find out why, fix it.",
      },
    ],
    step("read_file", { path: "sessions/cursor_state.ts" }, read("sessions/cursor_state.ts", 54)),
    step("read_file", { path: "sessions/file_tracker.ts" }, read("sessions/file_tracker.ts", 90)),
    step("run_command", { command: "deno test tests/sessions" }, COMMAND_OUTPUT()),
    step("read_file", { path: "deno.json" }, read("deno.json", 45)),
  ],
  prose: [
    [
      { role: "system", content: Deno.readTextFileSync(new URL("prompts/base.md", ROOT)) },
      { role: "user", content: "Übersetze CONTRIBUTING.md ins Deutsche: 请保持简短。" },
    ],
    step("read_file", { path: "CONTRIBUTING.md" }, read("CONTRIBUTING.md", 60)),
    [
      { role: "assistant", content: GERMAN().repeat(6), toolCalls: [] },
      { role: "user", content: "Schön. Nun AGENTS.md, kürzer." },
    ],
    step("read_file", { path: "AGENTS.md" }, read("AGENTS.md", 50)),
  ],
};

function COMMAND_OUTPUT(): string {
  const tests = Array.from(
    { length: 40 },
    (_, i) => `Cursor.fork() keeps the stamps of branch ${i} ... ok (${i * 7 + 3}µs)`,
  );
  return `Exit code 0 after 1.24 s\n<context command="deno test">\n${tests.join("\n")}\n` +
    "ok | 40 passed | 0 failed (1s)\n<context:end>";
}

function GERMAN(): string {
  return "Änderungen werden klein gehalten, geprüft und mit einer kurzen Erklärung eingereicht. " +
    "Wer etwas Größeres vorhat, öffnet zuerst ein Ticket und beschreibt Ziel und Weg.\n";
}

function countMessage(message: LlmMessage, count: Count): number {
  const calls = message.role === "assistant"
    ? message.toolCalls.map((call) => `${call.name}${call.arguments}`).join("")
    : "";
  return MESSAGE_TOKENS + count(message.content) + (calls === "" ? 0 : 8 + count(calls));
}

if (import.meta.main) {
  const usages = Object.entries(CONVERSATIONS).flatMap(([conversation, requests]) =>
    MODELS.map(([model, vocabulary, count]) => {
      let sum = 3;
      const tokens = requests.map((added) => {
        for (const message of added) sum += countMessage(message, count);
        return Math.round(sum);
      });
      return { model, vocabulary, conversation, tokens };
    })
  );
  const fixture = { conversations: CONVERSATIONS, usages };
  await Deno.writeTextFile(FIXTURE, `${JSON.stringify(fixture, null, 1)}\n`);
}
