import { RhoError } from "../base/errors.ts";
import type { Redactor } from "../security/redactor.ts";
import type { SandboxRoot } from "../security/sandbox.ts";
import { decodeFile } from "../../tools/files/text_file.ts";
import { frame } from "../../tools/framing.ts";

/** A file that goes along with a prompt. */
export interface Attachment {
  readonly path: string;
}

/** An attachment that cannot be taken; the prompt is then not sent at all. */
export class AttachmentError extends RhoError {
  constructor(path: string, reason: string) {
    super("attachment_refused", `Cannot attach "${path}": ${reason}`);
  }
}

/** The most bytes of one attached file. */
const MAX_ATTACHMENT_BYTES = 256 * 1024;

const IMAGE_REGEXP = /\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|heic|avif|svgz)$/i;

/** What reading attachments needs. */
export interface AttachmentDeps {
  readonly sandbox: SandboxRoot;
  readonly redactor: Redactor;
}

/**
 * Reads text files for a prompt through the sandbox, redacted and framed as data, one block
 * `@path` each.
 *
 * @throws {AttachmentError} for an image, a binary, a file over 256 KiB or no file at all.
 * @throws {SandboxError} for a path outside the root or one that does not exist.
 */
export async function readAttachments(
  attachments: readonly Attachment[],
  deps: AttachmentDeps,
): Promise<string[]> {
  const blocks: string[] = [];
  for (const { path } of attachments) blocks.push(await readAttachment(path, deps));
  return blocks;
}

async function readAttachment(path: string, deps: AttachmentDeps): Promise<string> {
  if (IMAGE_REGEXP.test(path)) throw new AttachmentError(path, "images are not supported");
  const canonical = await deps.sandbox.validate(path);
  const info = await Deno.stat(canonical);
  if (!info.isFile) throw new AttachmentError(path, "it is not a regular file");
  if (info.size > MAX_ATTACHMENT_BYTES) {
    const limit = `${MAX_ATTACHMENT_BYTES / 1024} KiB`;
    throw new AttachmentError(path, `it is larger than ${limit}; let rho read the part it needs`);
  }
  const decoded = decodeFile(await Deno.readFile(canonical));
  if (decoded.type !== "text") throw new AttachmentError(path, "it is not a text file");
  const shown = deps.sandbox.relative(canonical);
  return `@${shown}\n${frame({ path: shown }, deps.redactor.redact(decoded.text))}`;
}
