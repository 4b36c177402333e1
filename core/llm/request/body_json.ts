/**
 * A request body as JSON. Lone surrogates, which `JSON.stringify` would send as escapes that other
 * languages refuse, become U+FFFD.
 */
export function bodyJson(body: unknown): string {
  const text = JSON.stringify(body);
  // Such an escape is the only reason for these characters, short of a text that spells them.
  if (!text.includes("\\ud")) return text;
  return JSON.stringify(
    body,
    (_key, value) => typeof value === "string" ? value.toWellFormed() : value,
  );
}
