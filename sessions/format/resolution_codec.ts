import { unreachable } from "../../core/base/errors.ts";
import type { Resolution } from "../entry.ts";
import { isRecord } from "../json_value.ts";

/** A resolution as the file has it: a word, or an object with one field named after the level. */
export function encodeResolution(
  resolution: Resolution,
  text: (value: string) => string,
): unknown {
  switch (resolution.level) {
    case "Full":
    case "Pinned":
    case "Attached":
      return resolution.level;
    case "Compacted":
      return { Compacted: { into: resolution.into } };
    case "Outlined":
      return { Outlined: { outline: text(resolution.outline) } };
    case "Summarized":
      return { Summarized: { summary: text(resolution.summary) } };
    default:
      return unreachable(resolution);
  }
}

/** The resolution that a file's value means, or `undefined` for one that this version knows not. */
export function decodeResolution(value: unknown): Resolution | undefined {
  if (value === "Full" || value === "Pinned" || value === "Attached") return { level: value };
  if (!isRecord(value)) return undefined;
  const { Compacted, Outlined, Summarized } = value;
  if (isRecord(Compacted) && typeof Compacted.into === "string") {
    return { level: "Compacted", into: Compacted.into };
  }
  if (isRecord(Outlined) && typeof Outlined.outline === "string") {
    return { level: "Outlined", outline: Outlined.outline };
  }
  if (isRecord(Summarized) && typeof Summarized.summary === "string") {
    return { level: "Summarized", summary: Summarized.summary };
  }
  return undefined;
}
