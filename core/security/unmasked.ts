import { Redactor } from "./redactor.ts";

/**
 * A redactor that leaves texts as they are: what the model gets with `[redaction] enabled = false`.
 * What is stored, logged or streamed goes through a real one.
 */
export class Unmasked extends Redactor {
  override redact(text: string): string {
    return text;
  }

  override redactValue<T>(value: T): T {
    return value;
  }
}
