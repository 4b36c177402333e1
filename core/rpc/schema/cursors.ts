import * as v from "valibot";

const NAME = v.pipe(v.string(), v.check((text) => text.trim() !== "", "text that is not blank"));
const CURSOR_ID = v.pipe(v.string(), v.nonEmpty());

/** Where a cursor stands. */
const POSITION = v.object({ cursorId: v.string(), leaf: v.string() });

/** Result of `listCursors`. */
export const LIST_CURSORS_RESULT = v.object({
  cursors: v.array(v.object({
    id: v.string(),
    leaf: v.string(),
    name: v.optional(v.string()),
    active: v.boolean(),
  })),
});

/** Result of `listCursors`. */
export type ListCursorsResult = v.InferOutput<typeof LIST_CURSORS_RESULT>;

/** Params of `fork`. */
export const FORK_PARAMS = v.object({ name: v.optional(NAME) });

/** Params of `fork`. */
export type ForkParams = v.InferOutput<typeof FORK_PARAMS>;

/** Params of `switchCursor`. */
export const SWITCH_CURSOR_PARAMS = v.object({ cursorId: CURSOR_ID });

/** Params of `switchCursor`. */
export type SwitchCursorParams = v.InferOutput<typeof SWITCH_CURSOR_PARAMS>;

/** Result of `fork` and `switchCursor`. */
export const CURSOR_POSITION_RESULT = POSITION;

/** Result of `fork` and `switchCursor`. */
export type CursorPositionResult = v.InferOutput<typeof CURSOR_POSITION_RESULT>;

/** Params of `nameCursor`. */
export const NAME_CURSOR_PARAMS = v.object({ cursorId: CURSOR_ID, name: NAME });

/** Params of `nameCursor`. */
export type NameCursorParams = v.InferOutput<typeof NAME_CURSOR_PARAMS>;

/** Params of `branchTo`. */
export const BRANCH_TO_PARAMS = v.object({
  entryId: v.pipe(v.string(), v.nonEmpty()),
  summarize: v.optional(
    v.pipe(v.boolean(), v.description("Leave a summary of the branch that is left")),
  ),
});

/** Params of `branchTo`. */
export type BranchToParams = v.InferOutput<typeof BRANCH_TO_PARAMS>;

/** Result of `branchTo`. */
export const BRANCH_TO_RESULT = v.object({ leaf: v.string() });

/** Result of `branchTo`. */
export type BranchToResult = v.InferOutput<typeof BRANCH_TO_RESULT>;
