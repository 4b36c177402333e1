import type { ProviderErrorCode } from "../provider_error.ts";

/** A text by which a kind of failure is known, with words of a real server that it is made for. */
export interface ErrorRule {
  readonly code: ProviderErrorCode;
  readonly pattern: RegExp;
  readonly samples: readonly string[];
}

/**
 * The one table of provider texts that failures are told by. All patterns are linear; the first
 * match counts. Quota comes first: it looks like a rate limit, and a rate limit can look like a
 * context that is too long.
 */
export const ERROR_RULES: readonly ErrorRule[] = [
  {
    code: "quota_exhausted",
    pattern:
      /insufficient_quota|exceeded your current quota|billing_hard_limit|billing.not.active/i,
    samples: [
      '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
      '{"error":{"code":"billing_hard_limit_reached"}}',
    ],
  },
  {
    code: "quota_exhausted",
    pattern:
      /(?:insufficient|not enough|out of) (?:credits?|balance|funds)|credit balance is too low/i,
    samples: [
      '{"error":{"code":402,"message":"Insufficient credits. Add more using https://openrouter.ai"}}',
      '{"error":{"code":"1113","message":"Insufficient balance or no resource package."}}',
      '{"error":{"message":"Your credit balance is too low to access the API."}}',
    ],
  },
  {
    code: "quota_exhausted",
    pattern:
      /(?:monthly|weekly|daily|usage) (?:usage )?limit|(?:requests|models|tokens)[- ]per[- ]day/i,
    samples: [
      '{"error":{"message":"monthly limit"}}',
      "Rate limit exceeded: free-models-per-day",
      "Usage limit reached for 5 hour. Your limit will reset at 2026-01-01 00:00:00",
      "Rate limit reached for model `x` on tokens per day (TPD)",
    ],
  },
  {
    code: "rate_limited",
    pattern:
      /rate.?limit|too many requests|(?:requests|tokens) per (?:minute|min|second)|overloaded_error/i,
    samples: [
      '{"error":{"message":"Rate limit reached for gpt-4o on tokens per min (TPM)"}}',
      '{"error":{"type":"rate_limit_error"}}',
    ],
  },
  {
    code: "context_length_exceeded",
    pattern: /context_length_exceeded|exceed_context_size|model_context_window_exceeded/i,
    samples: [
      '{"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}',
      '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
    ],
  },
  {
    code: "context_length_exceeded",
    pattern: /maximum (?:context|prompt|model|input) length|max(?:imum)? context length/i,
    samples: [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000",
      "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      "The prompt is longer than the maximum model length of 4096",
      "prompt too long; exceeded max context length by 4 tokens",
    ],
  },
  {
    code: "context_length_exceeded",
    pattern:
      /(?:exceeds?|overflows?|larger than) (?:the )?(?:available )?context|context the overflows/i,
    samples: [
      "the request exceeds the available context size, try increasing it",
      "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
    ],
  },
  {
    code: "context_length_exceeded",
    pattern:
      /context (?:window|size|length) (?:is )?(?:exceed|too small|overflow)|context (?:window )?overflow/i,
    samples: ["invalid params, context window exceeds limit", "Context size exceeded"],
  },
  {
    code: "context_length_exceeded",
    pattern:
      /(?:prompt|input)(?: is)? too (?:long|large)|prompt exceeds max|reduce the length of the messages/i,
    samples: [
      "prompt is too long: 210000 tokens > 200000 maximum",
      "Input is too long for requested model.",
      '{"error":{"code":"1261","message":"Prompt exceeds max length"}}',
      "Please reduce the length of the messages or completion.",
    ],
  },
  {
    code: "context_length_exceeded",
    pattern:
      /token count[^.]{0,60} exceeds|exceeded model token limit|too large for model with \d+ max/i,
    samples: [
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
      "prompt token count of 130000 exceeds the limit of 128000",
      "Your request exceeded model token limit: 262144",
      "Prompt contains 70000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    ],
  },
  {
    code: "model_not_found",
    pattern:
      /model_not_found|not a valid model|no models? (?:is |are )?loaded|unknown model|invalid model name/i,
    samples: [
      '{"error":{"code":"model_not_found"}}',
      "foo/bar is not a valid model ID",
      "No models loaded. Please load a model in the developer page",
    ],
  },
  {
    code: "model_not_found",
    pattern: /\bmodel\b[^.:]{0,200}(?:not found|does not exist|not exist|is not available)/i,
    samples: [
      'model "llama9" not found, try pulling it first',
      "The model `gpt-9` does not exist or you do not have access to it.",
    ],
  },
  {
    code: "auth_failed",
    pattern:
      /invalid_api_key|(?:invalid|incorrect|missing|no) (?:api )?key|unauthorized|authentication_error/i,
    samples: [
      '{"error":{"code":"invalid_api_key","message":"Incorrect API key provided"}}',
      '{"error":{"message":"No auth credentials found","type":"authentication_error"}}',
    ],
  },
  {
    code: "bad_request",
    pattern: /invalid_request_error|invalid_prompt|BadRequestError/,
    samples: ['{"error":{"type":"invalid_request_error","message":"bad"}}'],
  },
];

/** The first kind of failure that a text tells of. */
export function matchErrorRule(text: string): ProviderErrorCode | undefined {
  return ERROR_RULES.find(({ pattern }) => pattern.test(text))?.code;
}
