import type { DemoProject } from "./demo_project.ts";

/** The demo's model server, running. */
export interface DemoModel {
  /** The Chat Completions URL. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** A message as it comes over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content?: string;
}

/** One answer of the model: text, and a tool call unless it is the last one. */
export interface Answer {
  readonly text: string;
  readonly call?: { readonly name: string; readonly arguments: unknown };
}

const WORD_DELAY_MS = 8;

/**
 * Serves a model that follows a script over real HTTP on loopback: it looks, reads, mends the
 * spelling mistake it has read, runs the tests, and says so. Where the edit goes it takes from
 * what `read_file` really answered.
 */
export function startDemoModel(project: DemoProject): DemoModel {
  return serveScript((messages) => nextAnswer(messages, project));
}

/** Serves a scripted model on a free loopback port. */
export function serveScript(script: (messages: readonly WireMessage[]) => Answer): DemoModel {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      // It is asked for its window, too, and has none.
      if (!request.url.endsWith("/chat/completions")) return new Response("{}", { status: 404 });
      const { messages }: { messages: WireMessage[] } = await request.json();
      return new Response(stream(script(messages)), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  return {
    endpoint: `http://127.0.0.1:${server.addr.port}/v1/chat/completions`,
    close: () => server.shutdown(),
  };
}

function nextAnswer(messages: readonly WireMessage[], project: DemoProject): Answer {
  const results = messages.filter((message) => message.role === "tool");
  const last = results.at(-1)?.content ?? "";
  const { editedFile, testCommand } = project;
  switch (results.length) {
    case 0:
      return {
        text: "I will look at what is there first.",
        call: { name: "list_dir", arguments: { path: "." } },
      };
    case 1:
      return {
        text: `The greeting must come from ${editedFile}.`,
        call: { name: "read_file", arguments: { path: editedFile } },
      };
    case 2:
      return {
        text: 'There it is: "Helo" lacks an l.',
        call: { name: "edit_file", arguments: { path: editedFile, edits: mend(last) } },
      };
    case 3:
      return {
        text: "Now the tests.",
        call: { name: "run_command", arguments: { command: testCommand } },
      };
    default:
      return {
        text: /\bok: Hello, rho!/.test(last)
          ? `I mended the spelling of the greeting in ${editedFile}; the tests pass.`
          : "The tests did not pass; the last result says why.",
      };
  }
}

/** The edit of the line that holds the mistake, at the anchor that it was read with. */
function mend(readResult: string): unknown[] {
  const line = /^(\d+#[A-Z]+):(.*Helo.*)$/m.exec(readResult);
  const [, pos = "1#ZZZZ", text = ""] = line ?? [];
  return [{ op: "replace", pos, lines: [text.split("Helo").join("Hello")] }];
}

function stream(answer: Answer): ReadableStream<Uint8Array> {
  const events = [...wireEvents(answer)];
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream<string>({
    async pull(controller) {
      const event = events.shift();
      if (event === undefined) return controller.close();
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, WORD_DELAY_MS);
      });
      controller.enqueue(event);
    },
    cancel() {
      clearTimeout(timer);
    },
  }).pipeThrough(new TextEncoderStream());
}

function* wireEvents(answer: Answer): Generator<string> {
  for (const word of answer.text.match(/\S+\s*/g) ?? []) yield chunk({ content: word });
  if (answer.call !== undefined) {
    const { name, arguments: args } = answer.call;
    const call = {
      index: 0,
      id: `call_${name}`,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    };
    yield chunk({ tool_calls: [call] });
  }
  yield chunk({}, answer.call === undefined ? "stop" : "tool_calls");
  yield "data: [DONE]\n\n";
}

function chunk(delta: unknown, finishReason: string | null = null): string {
  const choice = { index: 0, delta, finish_reason: finishReason };
  const value = { object: "chat.completion.chunk", model: "demo", choices: [choice] };
  return `data: ${JSON.stringify(value)}\n\n`;
}
