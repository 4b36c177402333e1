import {
  ALNUM,
  DIGIT,
  DOT,
  EQUAL,
  LOWER,
  type RedactionAnchor,
  type RedactionScan,
  SLASH,
  UPPER,
  WORD,
} from "./redaction_scan.ts";
import { looksRandom } from "./redaction_values.ts";

/**
 * A token that announces itself: a fixed prefix, then a run of characters of one class. The prefix
 * is the cheap test: without it, nothing of the pattern runs.
 */
interface TokenPattern {
  /** What it is, and where the format comes from. */
  readonly what: string;
  readonly prefixes: readonly string[];
  /** The class of the units after the prefix; the whole run goes. */
  readonly body: number;
  /** Fewest units after the prefix. */
  readonly min: number;
  /** Exact number of units after the prefix. */
  readonly exact?: number;
  /** The prefix must start a word; for prefixes that occur inside words. */
  readonly wordStart?: boolean;
  /** The prefix says nothing secret and stays. */
  readonly keepPrefix?: boolean;
  /** The body must look random: prose, CSS classes, algorithms and placeholders do not. */
  readonly random?: boolean;
}

/** Sources: each vendor's documentation of its tokens, gitleaks' and GitHub's public pattern lists. */
const TOKENS: readonly TokenPattern[] = [
  // GitHub: personal, OAuth, user-to-server, server-to-server, refresh (docs.github.com, "token formats").
  {
    what: "GitHub token",
    prefixes: ["ghp_", "gho_", "ghs_", "ghu_", "ghr_"],
    body: WORD | DOT,
    min: 30,
  },
  { what: "GitHub fine-grained token", prefixes: ["github_pat_"], body: WORD, min: 30 },
  // GitLab (docs.gitlab.com, "token overview"); routable tokens hold dots.
  {
    what: "GitLab token",
    prefixes: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glrtr-",
      "glcbt-",
      "glptt-",
      "glft-",
      "glsoat-",
      "gloas-",
      "glimt-",
      "glagent-",
      "glffct-",
    ],
    body: WORD | DOT,
    min: 18,
  },
  // Anthropic: sk-ant-api03-, sk-ant-admin01-, sk-ant-oat01-, sk-ant-sid01-.
  { what: "Anthropic key", prefixes: ["sk-ant-"], body: WORD, min: 16, random: true },
  // OpenAI (sk-, sk-proj-, sk-svcacct-, sk-admin-), OpenRouter (sk-or-v1-), DeepSeek, Moonshot, LiteLLM.
  {
    what: "OpenAI-style key",
    prefixes: ["sk-"],
    body: WORD,
    min: 16,
    wordStart: true,
    random: true,
  },
  { what: "Groq key", prefixes: ["gsk_"], body: ALNUM, min: 32 },
  { what: "xAI key", prefixes: ["xai-"], body: WORD, min: 40, random: true },
  { what: "Perplexity key", prefixes: ["pplx-"], body: ALNUM, min: 32 },
  { what: "Cerebras key", prefixes: ["csk-"], body: ALNUM, min: 32, wordStart: true },
  { what: "Replicate token", prefixes: ["r8_"], body: ALNUM, min: 32, wordStart: true },
  // Google: API keys are 39 units long; OAuth client secrets; OAuth access tokens.
  { what: "Google API key", prefixes: ["AIza"], body: WORD, min: 33, wordStart: true },
  { what: "Google client secret", prefixes: ["GOCSPX-"], body: WORD, min: 20 },
  { what: "Google access token", prefixes: ["ya29."], body: WORD, min: 20, wordStart: true },
  // Hugging Face: hf_ and 34 letters; organisation tokens api_org_.
  { what: "Hugging Face token", prefixes: ["hf_"], body: ALNUM, min: 30, wordStart: true },
  { what: "Hugging Face organisation token", prefixes: ["api_org_"], body: ALNUM, min: 30 },
  // Stripe: secret and restricted keys, webhook secrets (publishable keys are public).
  {
    what: "Stripe key",
    prefixes: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    body: ALNUM,
    min: 10,
  },
  { what: "Stripe webhook secret", prefixes: ["whsec_"], body: ALNUM | SLASH | EQUAL, min: 24 },
  // npm: npm_ and 36 base62 units, the last six a checksum.
  { what: "npm token", prefixes: ["npm_"], body: ALNUM, min: 32, wordStart: true, random: true },
  // PyPI: a macaroon, "pypi-AgE" is its fixed start (also test.pypi.org).
  { what: "PyPI token", prefixes: ["pypi-Ag"], body: WORD, min: 40 },
  // Slack: bot, user, app, legacy, refresh and configuration tokens (api.slack.com, "token types").
  {
    what: "Slack token",
    prefixes: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxe.", "xoxc-"],
    body: WORD | DOT,
    min: 16,
    random: true,
  },
  { what: "Slack cookie token", prefixes: ["xoxd-"], body: WORD, min: 20 },
  { what: "Slack app token", prefixes: ["xapp-"], body: WORD, min: 20, random: true },
  {
    what: "Slack webhook",
    prefixes: ["hooks.slack.com/services/", "hooks.slack.com/workflows/"],
    body: ALNUM | SLASH,
    min: 24,
    keepPrefix: true,
  },
  // Discord: webhooks; bot tokens are in redaction_shapes.ts.
  {
    what: "Discord webhook",
    prefixes: ["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
    body: WORD | SLASH,
    min: 40,
    keepPrefix: true,
  },
  { what: "Discord MFA token", prefixes: ["mfa."], body: WORD, min: 60, wordStart: true },
  // Others with prefixes made to be found.
  { what: "SendGrid key", prefixes: ["SG."], body: WORD | DOT, min: 60, wordStart: true },
  {
    what: "DigitalOcean token",
    prefixes: ["dop_v1_", "doo_v1_", "dor_v1_"],
    body: ALNUM,
    min: 40,
  },
  {
    what: "Shopify token",
    prefixes: ["shpat_", "shpca_", "shppa_", "shpss_"],
    body: ALNUM,
    min: 30,
  },
  { what: "Databricks token", prefixes: ["dapi"], body: DIGIT | LOWER, min: 32, wordStart: true },
  { what: "Linear key", prefixes: ["lin_api_"], body: ALNUM, min: 30 },
  { what: "Notion token", prefixes: ["ntn_"], body: ALNUM, min: 40, wordStart: true },
  { what: "Docker token", prefixes: ["dckr_pat_", "dckr_oat_"], body: WORD, min: 20 },
  { what: "Vault token", prefixes: ["hvs.", "hvb."], body: WORD, min: 24, wordStart: true },
  { what: "Terraform token", prefixes: [".atlasv1."], body: WORD | EQUAL, min: 50 },
  { what: "age secret key", prefixes: ["AGE-SECRET-KEY-1"], body: DIGIT | UPPER, min: 50 },
  { what: "Postman key", prefixes: ["PMAK-"], body: WORD, min: 40 },
  { what: "Doppler token", prefixes: ["dp.pt.", "dp.st.", "dp.sa."], body: WORD | DOT, min: 40 },
  { what: "Square token", prefixes: ["sq0atp-", "sq0csp-"], body: WORD, min: 20 },
  { what: "Sentry token", prefixes: ["sntrys_", "sntryu_"], body: WORD | EQUAL | SLASH, min: 40 },
  { what: "Supabase token", prefixes: ["sbp_", "sb_secret_"], body: WORD, min: 30 },
  { what: "PlanetScale secret", prefixes: ["pscale_tkn_", "pscale_pw_"], body: WORD, min: 30 },
  { what: "Grafana token", prefixes: ["glsa_", "glc_"], body: WORD | EQUAL | SLASH, min: 32 },
  { what: "Tailscale key", prefixes: ["tskey-"], body: WORD, min: 20, random: true },
  { what: "New Relic key", prefixes: ["NRAK-"], body: DIGIT | UPPER, min: 27 },
  { what: "crates.io token", prefixes: ["cio"], body: ALNUM, min: 32, exact: 32, wordStart: true },
  { what: "RubyGems key", prefixes: ["rubygems_"], body: DIGIT | LOWER, min: 48, random: true },
  {
    what: "NuGet key",
    prefixes: ["oy2"],
    body: DIGIT | LOWER,
    min: 43,
    exact: 43,
    wordStart: true,
  },
];

function visitToken(pattern: TokenPattern, prefix: string): RedactionAnchor["visit"] {
  return (scan, at) => {
    const from = at + prefix.length;
    if (pattern.wordStart === true && !scan.isWordStart(at)) return;
    let end = scan.runEnd(from, pattern.body);
    if (end - from < pattern.min) return;
    if (pattern.exact !== undefined && (end - from !== pattern.exact || scan.is(end, WORD))) return;
    // The full stop that ends a sentence is not part of a token.
    while (scan.text[end - 1] === ".") end--;
    // The head decides, so that a long run that is asked about again and again stays cheap.
    const head = scan.text.slice(from, Math.min(end, from + 256));
    if (pattern.random === true && !looksRandom(head)) return;
    scan.add(pattern.keepPrefix === true ? from : at, end);
  };
}

/**
 * AWS access key ids: a prefix of four and 16 units of base32 (docs.aws.amazon.com, "IAM
 * identifiers"); and the secret of 40 units when it stands near on the same line, as in the CSV that
 * the console offers.
 */
function visitAwsId(scan: RedactionScan, at: number): void {
  const from = at + 4;
  const end = scan.runEnd(from, DIGIT | UPPER);
  if (end - from < 16) return;
  // Said before it is known to be one: a replacement behind it can make it one.
  scan.trigger(at);
  if (end - from > 16 || scan.is(end, WORD) || !scan.isWordStart(at)) return;
  scan.add(at, end);
  const last = Math.min(scan.lineEnd(end), end + 200);
  for (let next = end; next < last; next++) {
    if (!scan.is(next, ALNUM | SLASH)) continue;
    const runEnd = scan.runEnd(next, ALNUM | SLASH);
    if (runEnd - next === 40 && isAwsSecret(scan.text.slice(next, runEnd))) scan.add(next, runEnd);
    next = runEnd;
  }
}

function isAwsSecret(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Z]/.test(value) && /[a-z]/.test(value);
}

/** The anchors of all tokens with a fixed prefix. */
export function tokenAnchors(): RedactionAnchor[] {
  const anchors: RedactionAnchor[] = ["AKIA", "ASIA", "ABIA", "ACCA"].map((literal) => ({
    literal,
    visit: visitAwsId,
  }));
  for (const pattern of TOKENS) {
    for (const literal of pattern.prefixes) {
      anchors.push({ literal, visit: visitToken(pattern, literal) });
    }
  }
  return anchors;
}
