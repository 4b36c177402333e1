import * as v from "valibot";

const ENTRY_ID = v.pipe(v.string(), v.nonEmpty());

/** An entry in the shape of the session file. */
const WIRE_ENTRY = v.object({
  id: v.string(),
  parent_id: v.nullable(v.string()),
  timestamp: v.object({ secs_since_epoch: v.number(), nanos_since_epoch: v.number() }),
  payload: v.pipe(
    v.unknown(),
    v.description("An object with one member, named after what the entry holds"),
  ),
});

/** Params of `getEntries`. */
export const GET_ENTRIES_PARAMS = v.object({
  entryId: v.optional(v.pipe(ENTRY_ID, v.description("Only this entry and what hangs below it"))),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  after: v.optional(v.pipe(ENTRY_ID, v.description("Begin behind this entry"))),
});

/** Params of `getEntries`. */
export type GetEntriesParams = v.InferOutput<typeof GET_ENTRIES_PARAMS>;

/** Result of `getEntries`. */
export const GET_ENTRIES_RESULT = v.object({ entries: v.array(WIRE_ENTRY) });

/** Result of `getEntries`. */
export type GetEntriesResult = v.InferOutput<typeof GET_ENTRIES_RESULT>;

/** How an entry is shown to the model, in the shape of the session file. */
const RESOLUTION = v.union([
  v.picklist(["Full", "Pinned", "Attached"]),
  v.object({ Compacted: v.object({ into: v.string() }) }),
  v.object({ Outlined: v.object({ outline: v.string() }) }),
  v.object({ Summarized: v.object({ summary: v.string() }) }),
]);

/** Params of `setResolution`. */
export const SET_RESOLUTION_PARAMS = v.object({ entryId: ENTRY_ID, resolution: RESOLUTION });

/** Params of `setResolution`. */
export type SetResolutionParams = v.InferOutput<typeof SET_RESOLUTION_PARAMS>;

/** Params of a method that works on one entry. */
export const ENTRY_PARAMS = v.object({ entryId: ENTRY_ID });

/** Params of a method that works on one entry. */
export type EntryParams = v.InferOutput<typeof ENTRY_PARAMS>;

/** Result of `getFullOutput`. */
export const GET_FULL_OUTPUT_RESULT = v.object({ output: v.string() });

/** Result of `getFullOutput`. */
export type GetFullOutputResult = v.InferOutput<typeof GET_FULL_OUTPUT_RESULT>;
