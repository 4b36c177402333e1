/** The protocol's own end mark among payloads. */
export const END_MARK = "[DONE]";

/** What could be made of an event's data that is not JSON. */
export interface RecoveredPayloads {
  /** JSON values in order; {@linkcode END_MARK} stands for itself. */
  readonly payloads: readonly unknown[];
  /** Frames of which nothing could be read. */
  readonly lost: number;
}

/**
 * Reads an event's data that does not parse as one JSON value: several frames without the blank
 * line between them, a comment that a proxy wrapped as data, or a frame that was cut and glued to
 * the next one (only what follows the last inner `data:` is sound then).
 */
export function recoverPayloads(data: string): RecoveredPayloads {
  const payloads: unknown[] = [];
  let lost = 0;
  for (const line of data.split("\n")) {
    const text = line.trim();
    if (text === "" || text.startsWith(":")) continue;
    const whole = parse(text);
    if (whole !== undefined) {
      payloads.push(whole);
      continue;
    }
    const at = text.lastIndexOf("data:");
    const inner = at < 0 ? undefined : parse(text.slice(at + "data:".length).trim());
    if (inner !== undefined) payloads.push(inner);
    if (inner === undefined || text.slice(0, at).trim() !== "") lost += 1;
  }
  return { payloads, lost };
}

function parse(text: string): unknown {
  if (text === END_MARK) return END_MARK;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
