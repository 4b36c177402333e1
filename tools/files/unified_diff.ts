/** After this long a diff is given up: telling two big, unrelated texts apart takes quadratic time. */
const MAX_DIFF_MS = 250;
const MAX_DIFF_UNITS = 4 * 1024 * 1024;

/**
 * A unified diff with three lines of context, or a sentence where the texts are too big or too
 * different for one. Carriage returns are left out when both texts have them everywhere.
 *
 * @param path Relative to the root, for the header.
 */
export async function unifiedDiff(
  path: string,
  texts: { readonly before: string; readonly after: string },
): Promise<string> {
  const { before, after } = sameEndings(texts);
  if (before.length + after.length > MAX_DIFF_UNITS) return tooBig(path);
  // Loaded on first use; 10 ms.
  const { createTwoFilesPatch } =
    await (import("diff" as string) as Promise<typeof import("diff")>);
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    context: 3,
    timeout: MAX_DIFF_MS,
  });
  if (patch === undefined) return tooBig(path);
  // The first line is a ruler that only Subversion knows.
  return patch.slice(patch.indexOf("--- "));
}

function tooBig(path: string): string {
  return `(the texts of "${path}" are too big or too different for a diff)\n`;
}

function sameEndings(texts: { readonly before: string; readonly after: string }) {
  const bare = /(?<!\r)\n/;
  if (bare.test(texts.before) || bare.test(texts.after)) return texts;
  return {
    before: texts.before.replaceAll("\r\n", "\n"),
    after: texts.after.replaceAll("\r\n", "\n"),
  };
}
