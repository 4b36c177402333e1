import * as v from "valibot";
import { headUnits } from "../../core/base/text.ts";
import { frame } from "../framing.ts";
import { type Tool, toolFailure, type ToolResult, toolSuccess } from "../tool.ts";
import { withFailures } from "../tool_failure.ts";
import type { RustDocs } from "./rust_docs.ts";

const SCHEMA = v.object({
  code: v.pipe(v.string(), v.nonEmpty(), v.description('"E0308", or a lint "clippy::unwrap_used"')),
});

/** The arguments of `rustc_explain`. */
export type RustcExplainArgs = v.InferOutput<typeof SCHEMA>;

const CODE_REGEXP = /^(?:error\s*)?\[?e?(\d{1,4})\]?$/i;
const LINT_REGEXP = /^clippy::([a-z0-9_]{1,100})$/;

/** The tool `rustc_explain`: what an error code or a clippy lint means. */
export function createRustcExplain(docs: RustDocs): Tool<RustcExplainArgs> {
  return {
    name: "rustc_explain",
    description:
      "Explains a Rust error code or clippy lint with examples, from the local toolchain.",
    schema: SCHEMA,
    risk: "read",
    highestRisk: "read",
    source: "builtin",
    execute: (args, { signal, maxOutputBytes }) =>
      withFailures(() => explain(args.code.trim(), { docs, signal, maxOutputBytes })),
  };
}

async function explain(
  code: string,
  options: {
    readonly docs: RustDocs;
    readonly signal: AbortSignal;
    readonly maxOutputBytes: number;
  },
): Promise<ToolResult> {
  const number = CODE_REGEXP.exec(code)?.[1];
  const lint = LINT_REGEXP.exec(code)?.[1];
  if (number === undefined && lint === undefined) {
    return toolFailure(
      `Cannot explain ${JSON.stringify(headUnits(code, 80))}: give an error code like "E0308" or ` +
        'a lint like "clippy::unwrap_used"; lints of rustc itself are explained in their message',
    );
  }
  const name = number === undefined ? `clippy::${lint}` : `E${number.padStart(4, "0")}`;
  const { stdout, stderr, isFine } = number === undefined
    ? await options.docs.ask("cargo", ["clippy", "--explain", lint ?? ""], options)
    : await options.docs.ask("rustc", ["--explain", name], options);
  const text = stdout.trim();
  if (isFine && text !== "") {
    const shown = headUnits(text, Math.floor(options.maxOutputBytes * 0.9));
    return toolSuccess(frame({ source: "rustc_explain", code: name }, shown));
  }
  const reason = stderr.trim();
  return toolFailure(
    `Cannot explain ${name}: the toolchain knows nothing about it` +
      (reason === "" ? "" : `\n${frame({ source: "rustc_explain" }, headUnits(reason, 2000))}`),
  );
}
