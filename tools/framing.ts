/**
 * Marks text from outside (files, command output, attachments) as data: it stands between
 * `<context …>` and `<context:end>`, and those two markers inside it are made harmless.
 */

const MARKER_REGEXP = /<(\/?)context(?=[\s:>/])/gi;

/** Makes frame markers inside a text from outside harmless: `<context` becomes `‹context`. */
export function neutraliseMarkers(text: string): string {
  return text.replace(MARKER_REGEXP, (_whole, slash: string) => `‹${slash}context`);
}

/**
 * Frames text from outside.
 *
 * @param attributes Names and values for the opening marker, in the order given; a value is
 *   escaped so that it cannot close the marker.
 */
export function frame(attributes: Readonly<Record<string, string>>, text: string): string {
  const head = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join("");
  const body = neutraliseMarkers(text);
  return `<context${head}>\n${body}${body === "" || body.endsWith("\n") ? "" : "\n"}<context:end>`;
}

function escapeAttribute(value: string): string {
  return neutraliseMarkers(value).replaceAll('"', "'").replace(/[\r\n]+/g, " ");
}
