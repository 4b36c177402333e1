import type { WalkTally } from "./file_walker.ts";
import type { TimeSlices } from "./time_slices.ts";

/** What a search or listing did not look at, one sentence each. */
export function leftOutSentences(
  tally: WalkTally,
  slices: Pick<TimeSlices, "isOver">,
): string[] {
  const sentences: string[] = [];
  if (slices.isOver) {
    sentences.push("The time was up before everything was seen; narrow path or glob.");
  }
  if (tally.secrets > 0) {
    const one = tally.secrets === 1;
    sentences.push(
      `${plural(tally.secrets, "entry", "entries")} that usually ${one ? "holds" : "hold"} ` +
        `secrets ${one ? "was" : "were"} skipped; list_dir shows names.`,
    );
  }
  if (tally.unreadable > 0) {
    sentences.push(`${plural(tally.unreadable, "folder")} could not be read.`);
  }
  return sentences;
}

/** A count with its noun: `1 file`, `12 files`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
