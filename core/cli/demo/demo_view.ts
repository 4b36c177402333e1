import { unreachable } from "../../base/errors.ts";
import type { RpcNotification } from "../../rpc/client.ts";

const MAX_SHOWN_LINES = 14;
const LABEL_WIDTH = 10;

/** Shows a turn to a person: one labelled block for each thing that happens. */
export class DemoView {
  readonly #print: (text: string) => void;
  #isSpeaking = false;

  /** @param print Takes text, line ends included. */
  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  /** A labelled line, further ones indented below it. */
  say(label: string, text: string): void {
    this.#endSpeech();
    const [first = "", ...rest] = text.split("\n");
    const lines = [
      `${label.padEnd(LABEL_WIDTH)}${first}`,
      ...rest.map((line) => line === "" ? "" : " ".repeat(LABEL_WIDTH) + line),
    ];
    this.#print(lines.join("\n") + "\n");
  }

  /** Shows one notification. */
  show(notification: RpcNotification): void {
    switch (notification.method) {
      case "message/delta":
        return this.#speak(notification.params.delta);
      case "tool/call":
        return this.say("tool", `${notification.params.name} ${notification.params.arguments}`);
      case "approval/request":
        return this.say("approve?", clip(notification.params.preview ?? "(no preview)"));
      case "tool/result": {
        const { is_error, output } = notification.params;
        return this.say(is_error ? "failed" : "result", clip(output));
      }
      case "tool/denied":
        return this.say("denied", notification.params.reason);
      case "agent/error":
        return this.say("error", notification.params.error);
      case "retry":
      case "notice":
        return this.say("note", noteOf(notification));
      case "agent/end": {
        const { iterations, toolCalls, durationMs, finishReason } = notification.params;
        return this.say(
          "end",
          `${finishReason} after ${iterations} model responses and ${toolCalls.length} tool ` +
            `calls in ${durationMs} ms`,
        );
      }
      case "ready":
      case "agent/start":
      case "state/change":
      case "reasoning/delta":
      case "tool/progress":
      case "usage":
      case "compaction":
      case "steer/applied":
      case "session/change":
      case "extension/log":
        return;
      default:
        return unreachable(notification);
    }
  }

  #speak(delta: string): void {
    if (!this.#isSpeaking) this.#print("model".padEnd(LABEL_WIDTH));
    this.#isSpeaking = true;
    this.#print(delta);
  }

  #endSpeech(): void {
    if (this.#isSpeaking) this.#print("\n");
    this.#isSpeaking = false;
  }
}

function noteOf(notification: Extract<RpcNotification, { method: "retry" | "notice" }>): string {
  return notification.method === "retry" ? notification.params.error : notification.params.message;
}

function clip(text: string): string {
  const lines = text.trimEnd().split("\n");
  if (lines.length <= MAX_SHOWN_LINES) return lines.join("\n");
  const more = lines.length - MAX_SHOWN_LINES;
  return [...lines.slice(0, MAX_SHOWN_LINES), `… ${more} more lines`].join("\n");
}
