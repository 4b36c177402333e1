import { errorMessage, StartupError, UsageError } from "../base/errors.ts";
import { isAbsolutePath, joinPath } from "../base/paths.ts";
import { frame } from "../../tools/framing.ts";
import type { AppIo } from "./app_io.ts";
import type { PromptSource, RunArguments } from "./run_command_line.ts";

/** The most text that a prompt may have, in bytes: that of one line of the protocol. */
const MAX_PROMPT_BYTES = 32 * 1024 * 1024;

/**
 * The prompt of a one-shot. A file or stdin alone is the prompt itself, as its words would be; below
 * words it is what they are about, and framed as data: a diff that says "ignore the above" stays a
 * diff.
 *
 * @param redact Masks secrets in what goes along as data.
 * @throws {UsageError} when there is nothing but blanks.
 * @throws {StartupError} when the file cannot be read.
 */
export async function runPrompt(
  { prompt, source }: Pick<RunArguments, "prompt" | "source">,
  { io, redact }: { readonly io: AppIo; readonly redact: (text: string) => string },
): Promise<string> {
  if (source === undefined) return prompt ?? "";
  const text = decoded(await bytesOf(source, io), source);
  if (text.trim() === "" && prompt === undefined) {
    throw new UsageError(`The prompt is empty: ${nameOf(source)} holds no text`);
  }
  if (prompt === undefined) return text;
  const from = source.type === "file" ? { path: source.path } : { source: "stdin" };
  return `${prompt}\n\n${frame(from, redact(text))}`;
}

async function bytesOf(source: PromptSource, io: AppIo): Promise<Uint8Array> {
  try {
    if (source.type === "stdin") return await collect(io.stdin);
    const { path } = source;
    using file = await Deno.open(isAbsolutePath(path) ? path : joinPath(io.cwd, path));
    return await collect(file.readable);
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(`Cannot read ${nameOf(source)}: ${errorMessage(cause)}`, { cause });
  }
}

async function collect(input: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_PROMPT_BYTES) {
      throw new StartupError(`The prompt has more than ${MAX_PROMPT_BYTES / 1024 / 1024} MiB`);
    }
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function decoded(bytes: Uint8Array, source: PromptSource): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new StartupError(`Cannot read ${nameOf(source)}: it is not UTF-8 text`, { cause });
  }
}

function nameOf(source: PromptSource): string {
  return source.type === "stdin" ? "stdin" : `"${source.path}"`;
}
