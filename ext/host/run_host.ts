import { LineSplitter } from "../../core/base/json_lines.ts";
import { encodeUtf8 } from "../../core/base/text.ts";
import { ExtensionHost } from "./extension_host.ts";
import type { FromHost, ToHost } from "./messages.ts";

/** The longest line from rho, in bytes: a linked extension in base64 is the largest. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Permissions that a compiled rho gives up before it serves as a host; `net` stays. */
const GIVEN_UP = ["read", "write", "run", "env", "ffi", "sys", "import"] as const;

/**
 * Serves as the extension host until rho closes the input: this process's stdin and stdout are the
 * pipes to rho. It reads no file and starts no process.
 */
export async function runHost(): Promise<void> {
  for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name });
  const splitter = new LineSplitter({ maxBytes: MAX_LINE_BYTES });
  let host: ExtensionHost | undefined;
  for await (const chunk of Deno.stdin.readable) {
    for (const line of splitter.push(chunk)) {
      if (line.type !== "line" || line.text === "") continue;
      const message: ToHost = JSON.parse(line.text);
      if (message.type !== "start") host?.accept(message);
      else if (host === undefined) {
        const send = sender(message.secret);
        host = new ExtensionHost(send);
        send({ type: "ready" });
      }
    }
  }
  Deno.exit(0);
}

/** Writes lines one after the other; each proves with the secret that no worker wrote it. */
function sender(secret: string): (message: FromHost) => void {
  let queue: string[] = [];
  let isWriting = false;
  async function write(): Promise<void> {
    isWriting = true;
    while (queue.length > 0) {
      const bytes = encodeUtf8(queue.join(""));
      queue = [];
      for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
    }
    isWriting = false;
  }
  return (message) => {
    queue.push(`${secret} ${JSON.stringify(message)}\n`);
    // Without rho at the other end there is nothing left to do.
    if (!isWriting) write().catch(() => Deno.exit(0));
  };
}
