const MAX_WORDS = 32;
/** Shorter words match as they are, longer ones also as beginnings. */
const MIN_PREFIX_UNITS = 3;
/** What SQLite's `unicode61` takes as part of a word. */
const WORD_REGEXP = /[\p{L}\p{N}\p{Co}]/u;

/** The words of a query as FTS5 takes them, quoted, so that nothing in them is syntax. */
export function ftsWords(query: string): string[] {
  return query.replaceAll("\0", " ").toWellFormed().split(/\s+/u)
    .filter((word) => WORD_REGEXP.test(word))
    .slice(0, MAX_WORDS)
    .map((word) => {
      const quoted = `"${word.replaceAll('"', '""')}"`;
      return word.length < MIN_PREFIX_UNITS ? quoted : `${quoted}*`;
    });
}

/** A query for documents that hold all of the words. */
export function allWords(words: readonly string[]): string {
  return words.join(" AND ");
}

/** A query for documents that hold any of the words. */
export function anyWord(words: readonly string[]): string {
  return words.join(" OR ");
}
