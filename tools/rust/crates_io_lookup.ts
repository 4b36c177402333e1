import * as v from "valibot";
import { frame } from "../framing.ts";
import { type Tool, type ToolContext, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import { CRATES_IO_URL, fetchCratesIo } from "./crates_io.ts";
import { crateText, searchText, totalFound } from "./crates_io_text.ts";

/** Options of {@linkcode createCratesIoLookup}. */
export interface CratesIoLookupOptions {
  /**
   * Where the API is, without a slash at its end.
   * @default {"https://crates.io"}
   */
  readonly baseUrl?: string;
  /**
   * The most time of one request, in milliseconds.
   * @default {15_000}
   */
  readonly timeoutMs?: number;
  /**
   * The most bytes of one answer.
   * @default {8_388_608}
   */
  readonly maxBytes?: number;
}

const MAX_RESULTS = 10;
const NAME_REGEXP = /^[A-Za-z0-9_-]{1,64}$/;

const SCHEMA = v.object({
  query: v.optional(v.pipe(v.string(), v.maxLength(200), v.description("Words to search for"))),
  name: v.optional(v.pipe(
    v.string(),
    v.check((name) => NAME_REGEXP.test(name), "must be the exact name of a crate"),
    v.description("Exact name of one crate"),
  )),
});

/** The arguments of `crates_io_lookup`: one of the two. */
export type CratesIoLookupArgs = v.InferOutput<typeof SCHEMA>;

/** The tool `crates_io_lookup`: versions, features and licence of a crate, or a search. */
export function createCratesIoLookup(
  options: CratesIoLookupOptions = {},
): Tool<CratesIoLookupArgs> {
  return {
    name: "crates_io_lookup",
    description: "Asks crates.io for one crate (versions, features, license) or searches. " +
      'Example: {"name": "serde"} or {"query": "toml parser"}',
    schema: SCHEMA,
    risk: "network",
    highestRisk: "network",
    source: "builtin",
    execute: (args, context) => withFailures(() => lookUp(args, context, options)),
  };
}

async function lookUp(
  args: CratesIoLookupArgs,
  context: ToolContext,
  options: CratesIoLookupOptions,
): Promise<ToolResult> {
  const query = args.query?.trim() ?? "";
  const request = {
    baseUrl: options.baseUrl ?? CRATES_IO_URL,
    timeoutMs: options.timeoutMs ?? 15_000,
    maxBytes: options.maxBytes ?? 8 * 1024 * 1024,
    signal: context.signal,
  };
  if (args.name !== undefined) {
    const answer = await fetchCratesIo(`crates/${args.name}`, request);
    if (answer !== undefined) {
      return toolSuccess(frame({ source: "crates_io_lookup" }, crateText(answer)));
    }
    return toolFailure(
      `There is no crate "${args.name}" on crates.io; search with {"query": "${args.name}"}`,
    );
  }
  if (query === "") {
    return toolFailure('Cannot ask crates.io for nothing: give "name" or "query"');
  }
  const parameters = new URLSearchParams({ q: query, per_page: String(MAX_RESULTS) });
  const answer = await fetchCratesIo(`crates?${parameters}`, request) ?? {};
  const found = searchText(answer);
  if (found === "") return toolSuccess("crates.io found no crate for these words.");
  const total = totalFound(answer);
  const head = total > MAX_RESULTS ? `The first ${MAX_RESULTS} of ${total} crates:\n` : "";
  return toolSuccess(head + frame({ source: "crates_io_lookup" }, found));
}
