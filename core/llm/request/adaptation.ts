import { matchErrorRule } from "../http/error_rules.ts";

/** What a server turned out not to take; everything is as the specification says when it is empty. */
export interface Adaptation {
  readonly noStreamOptions?: boolean;
  /** Sends `max_completion_tokens` in place of `max_tokens`. */
  readonly maxCompletionTokens?: boolean;
  readonly noTools?: boolean;
  readonly noReasoningEffort?: boolean;
  /** Does not ask for summaries of reasoning (Responses). */
  readonly noSummary?: boolean;
  /** Sends no reasoning back. */
  readonly noReasoningReplay?: boolean;
  readonly noTemperature?: boolean;
  /** Does not ask for encrypted reasoning (Responses). */
  readonly noInclude?: boolean;
  /** Sends tool schemas without patterns, formats and lengths. */
  readonly bareSchemas?: boolean;
  /** Sends `content: ""` where the key would be left out. */
  readonly emptyContent?: boolean;
}

/** One thing to change. */
export type AdaptationName = keyof Adaptation;

/** By which words a server refuses something, samples of real servers beside them. */
export interface AdaptationRule {
  readonly name: AdaptationName;
  readonly pattern: RegExp;
  readonly samples: readonly string[];
}

/**
 * The table of refusals, tried in this order on a 400 or 422. A rule that changes nothing in the
 * request is passed over, so a broad pattern does no harm.
 */
export const ADAPTATION_RULES: readonly AdaptationRule[] = [
  {
    name: "noStreamOptions",
    pattern: /stream_options|include_usage/i,
    samples: [
      '{"error":{"message":"Unrecognized request argument supplied: stream_options"}}',
      '{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}',
    ],
  },
  {
    name: "maxCompletionTokens",
    pattern:
      /max_completion_tokens|max_tokens.{0,40}(?:unsupported|not supported|unrecognized|unknown|deprecated)|(?:unsupported|unrecognized|unknown).{0,60}max_tokens/i,
    samples: [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "Unrecognized request argument supplied: max_tokens",
    ],
  },
  {
    name: "noReasoningReplay",
    pattern: /reasoning_content|invalid_encrypted_content|could not be (?:verified|decrypted)/i,
    samples: [
      '{"detail":[{"loc":["body","messages",2,"reasoning_content"],"msg":"Extra inputs are not permitted"}]}',
      '{"error":{"code":"invalid_encrypted_content","message":"The encrypted content could not be verified."}}',
    ],
  },
  {
    name: "noSummary",
    pattern: /reasoning[ .]summar/i,
    samples: ["Your organization must be verified to generate reasoning summaries."],
  },
  {
    name: "noReasoningEffort",
    pattern: /reasoning|thinking/i,
    samples: [
      "Unrecognized request argument supplied: reasoning_effort",
      '"model" does not support thinking',
    ],
  },
  {
    name: "noInclude",
    pattern: /\binclude\b|encrypted_content|encrypted content/i,
    samples: [
      "Encrypted content is not supported with this model.",
      "Unknown parameter: 'include'",
    ],
  },
  {
    name: "noTemperature",
    pattern: /temperature/i,
    samples: ["Unsupported value: 'temperature' does not support 0.2 with this model."],
  },
  {
    name: "emptyContent",
    pattern: /missing field `?content|content.{0,20}(?:field )?(?:is )?required|'content' field/i,
    samples: [
      "Failed to deserialize the JSON body into the target type: messages[2]: missing field `content`",
      "'messages' array must only contain objects with a 'content' field that is not empty",
    ],
  },
  {
    name: "bareSchemas",
    pattern: /grammar|pattern|\bformat\b|regex|max_?length|schema/i,
    samples: [
      '{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}',
      "Unable to generate parser for this template: Pattern must start with '^' and end with '$'",
      "Invalid schema for function 'x': 'uri' is not a valid format",
    ],
  },
  {
    name: "noTools",
    pattern:
      /\btools\b.{0,60}(?:not support|unsupported|unknown|unrecognized|unexpected|not permitted|not allowed|requires?|invalid param|disabled)|(?:support|unknown|unrecognized|unexpected|extra|invalid).{0,60}(?:\btools\b|tool (?:use|calling)|function calling)|tool choice requires|"param": ?"tools"/i,
    samples: [
      "registry.ollama.ai/library/gemma:2b does not support tools",
      "tools param requires --jinja flag",
      '{"error":{"message":"Unrecognized request argument supplied: tools"}}',
      "tools is not supported in this model",
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    ],
  },
];

/** Adaptations that belong to one model of a provider and not to the provider as a whole. */
const MODEL_ADAPTATIONS: ReadonlySet<AdaptationName> = new Set<AdaptationName>([
  "noTools",
  "noReasoningEffort",
  "noSummary",
  "noTemperature",
  "noInclude",
]);

/** What was learnt, for the life of the process. */
const LEARNT = new Map<string, Adaptation>();

/** Who is asked. */
export interface AdaptationTarget {
  readonly provider: string;
  readonly endpoint: string;
  readonly model: string;
}

/** What is known of a provider and a model of it. */
export function learntAdaptation(target: AdaptationTarget): Adaptation {
  return { ...LEARNT.get(providerKey(target)), ...LEARNT.get(modelKey(target)) };
}

/** Remembers what made a request acceptable. */
export function learnAdaptation(target: AdaptationTarget, names: Iterable<AdaptationName>): void {
  for (const name of names) {
    const key = MODEL_ADAPTATIONS.has(name) ? modelKey(target) : providerKey(target);
    LEARNT.set(key, { ...LEARNT.get(key), [name]: true });
  }
}

/** What a refusal may ask for, nearest first. */
export function suggestedAdaptations(status: number, body: string): AdaptationName[] {
  // llama.cpp has answered 500 to a grammar that it cannot build.
  if (status === 500) return /grammar/i.test(body) ? ["bareSchemas"] : [];
  if (status !== 400 && status !== 422) return [];
  // Names the fields of the request too, but no other field would help.
  if (matchErrorRule(body) === "context_length_exceeded") return [];
  return ADAPTATION_RULES.filter(({ pattern }) => pattern.test(body)).map(({ name }) => name);
}

function providerKey({ provider, endpoint }: AdaptationTarget): string {
  return JSON.stringify([provider, endpoint]);
}

function modelKey({ provider, endpoint, model }: AdaptationTarget): string {
  return JSON.stringify([provider, endpoint, model]);
}
