import * as v from "valibot";

/** Result of `listProviders`. */
export const LIST_PROVIDERS_RESULT = v.object({
  providers: v.array(v.object({
    name: v.string(),
    isExternal: v.pipe(v.boolean(), v.description("Whether it is outside of this machine")),
    reachable: v.pipe(
      v.boolean(),
      v.description(
        "Whether its server answered within 3 seconds; external ones without consent are not asked",
      ),
    ),
    active: v.pipe(v.boolean(), v.description("Whether the model in use is one of its models")),
  })),
});

/** Result of `listProviders`. */
export type ListProvidersResult = v.InferOutput<typeof LIST_PROVIDERS_RESULT>;
