const ITEM_REGEXP = /^\s*pub (?:async |unsafe )?(fn|struct|enum|trait|const|type|mod) (\w+)/;

/** `fn name – first line of its documentation`, for every public item of a Rust file. */
export function exportedItems(text: string): string[] {
  const items: string[] = [];
  let docs: string | undefined;
  for (const line of text.split("\n")) {
    const doc = /^\s*\/\/\/ ?(.*)$/.exec(line);
    if (doc !== null) {
      docs ??= doc[1];
      continue;
    }
    const item = ITEM_REGEXP.exec(line);
    if (item !== null) items.push(`${item[1]} ${item[2]}${docs === undefined ? "" : ` – ${docs}`}`);
    if (!/^\s*#\[/.test(line)) docs = undefined;
  }
  return items;
}
