/**
 * The start of a response's body as text; what lies beyond the cap is not read, and the body is
 * closed in every case. A body that breaks off yields what came of it.
 *
 * @throws the signal's reason when it is aborted meanwhile.
 */
export async function bodyText(
  response: Response,
  options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let left = options.maxBytes;
  try {
    while (left > 0) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } catch {
    if (options.signal.aborted) throw options.signal.reason;
  } finally {
    await reader.cancel().catch(() => {});
  }
  return text + decoder.decode();
}
