import EDITING from "./editing.md" with { type: "text" };
import EXTENSION_AUTHORING from "./extension_authoring.md" with { type: "text" };
import RUST from "./rust.md" with { type: "text" };

/** Which tools there are to write about. */
export interface ToolNotesParts {
  /**
   * Whether the Rust tools are there.
   * @default {false}
   */
  readonly hasRustTools?: boolean;
  /**
   * Whether the model may be asked to write extensions, because some are in use.
   * @default {false}
   */
  readonly hasExtensions?: boolean;
}

/** What the descriptions of single tools do not say, one block a topic, always in this order. */
export function toolNotes(parts: ToolNotesParts = {}): string[] {
  const { hasRustTools = false, hasExtensions = false } = parts;
  return [
    EDITING.trim(),
    ...(hasRustTools ? [RUST.trim()] : []),
    ...(hasExtensions ? [EXTENSION_AUTHORING.trim()] : []),
  ];
}
