import * as v from "valibot";

/** Params of `approvalResponse`. */
export const APPROVAL_RESPONSE_PARAMS = v.object({
  approved: v.pipe(v.boolean(), v.description("Whether the call may run")),
  message: v.optional(v.pipe(
    v.string(),
    v.description("With `approved` false: what to do instead"),
  )),
  id: v.optional(v.pipe(
    v.string(),
    v.description("The id of the request; the oldest open one by default"),
  )),
  remember: v.optional(v.pipe(
    v.literal("session"),
    v.description("Approve calls like this one until rho exits"),
  )),
});

/** Params of `approvalResponse`. */
export type ApprovalResponseParams = v.InferOutput<typeof APPROVAL_RESPONSE_PARAMS>;
