import type { SecretNameKind } from "./redaction_names.ts";
import { REDACTED } from "./redaction_scan.ts";

/** Technical words with digits in them, which do not make a value random. */
const TECHNICAL_REGEXP =
  /utf-?(?:8|16|32)|base-?(?:16|32|36|58|62|64|85)|sha-?(?:224|256|384|512)|(?:u?int|float)(?:8|16|32|64|128)|x86_64|ed25519|secp256[kr]1|argon2(?:id|i|d)?|pbkdf2|(?<![A-Za-z0-9])(?:[uif](?:8|16|32|64|128)|sha-?[123]|md5|ipv?[46]|x25519|[rhep]s(?:256|384|512)|aes-?(?:128|192|256)|p(?:256|384|521)|web3|[il]1[08]n|a11y|k8s|s3|ec2|es(?:5|6|20[0-9]{2})|h26[45]|mp[34]|v[0-9]{1,2})(?![A-Za-z0-9])/gi;

const UUID_REGEXP = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether a value is a UUID: an identifier more often than a secret. */
export function isUuid(value: string): boolean {
  return UUID_REGEXP.test(value);
}

/** Part of a value that a person could have named: letters, or letters with a short number. */
const NAMED_PART_REGEXP =
  /^(?:[A-Za-z]*|[A-Z]?[a-z]{1,20}[0-9]{1,3}|[A-Z]{1,12}[0-9]{1,2}|[0-9]{1,3})$/;

/**
 * Whether a value looks like a generated token: no spaces, long enough, and not made of words,
 * identifiers or short numbers. Only the first 256 units count.
 */
export function looksRandom(value: string): boolean {
  const head = value.slice(0, 256);
  if (!/^[\w+/=.~:@!#$%^&*-]{8,}$/.test(head)) return false;
  if (/^(?:sha\d+|md5)[-:]/i.test(head)) return false;
  const plain = head.replace(TECHNICAL_REGEXP, () => "x");
  if (!/[A-Za-z]/.test(plain)) return false;
  if (!/[0-9]/.test(plain)) return looksLikeMixedLetters(head);
  const parts = plain.split(/[^A-Za-z0-9]+/);
  return plain.length >= 6 && !parts.every((part) => NAMED_PART_REGEXP.test(part));
}

/** Letters without digits: random when the case jumps about, or when there is no end of them. */
function looksLikeMixedLetters(value: string): boolean {
  if (value.length < 16) return false;
  let changes = 0;
  for (let i = 1; i < value.length; i++) {
    if (isUpper(value, i) !== isUpper(value, i - 1)) changes++;
  }
  if (changes / value.length > 0.36 && !/[-_. ]/.test(value)) return true;
  return value.length >= 32 && /^[A-Za-z+/=]+$/.test(value) && changes / value.length > 0.3;
}

function isUpper(value: string, at: number): boolean {
  const code = value.charCodeAt(at);
  return code >= 65 && code <= 90;
}

const TEMPLATE_REGEXP =
  /\$\{|\{\{|<%|%\(|#\{|\$\(|\.\.\.|…|%[sdrv]\b|^\$[A-Za-z_]\w*$|^<.*>$|^\{.*\}$|^\[.*\]$|^%\w*%$|^%[-\w.]{1,6}$|^[*xX•._?#-]+$/;

const REFERENCE_REGEXP =
  /^(?:\/[A-Za-z]+){2,}$|^(?:env|vault|op|file|ref|secret|secrets|ssm|arn|keychain|keyring|pass|gcp|aws|https?|wss?|ftp|data|urn|sops)(?::|\+|\/\/)|^(?:\.{1,2}|~)[\\/]|^\/(?:etc|run|var|tmp|home|usr|opt|mnt|dev|secrets?|vault|app|root|Users)\/|^[A-Z]:[\\/]|^[\w./-]+\/[\w.-]+\.(?:json|ya?ml|toml|txt|pem|key|env|ts|js|py|rs|go|conf|ini|md|html)$/;

const PLACEHOLDER_REGEXP =
  /^(?:your|my|the|some|an?|enter|insert|replace|change|example|sample|dummy|fake|mock|stub|test|todo|tbd|foo|bar|baz|lorem|placeholder|masked|hidden|redacted|removed|none|null|nil|undefined|true|false|yes|no|empty|unset|not)(?:$|[-_ .]|me$|it$|this$)|^(?:your|my|enter|insert|replace|change|example|sample|dummy|fake|mock|test)[A-Z][a-z]/;

/** Values that are a type, a rule or a choice of a configuration rather than a secret. */
const CHOICE_REGEXP =
  /^(?:string|str|text|number|integer|int|bool|boolean|varchar|char|bytes|buffer|object|any|unknown|never|void|required|optional|nullable|sometimes|hashed|encrypted|plain|basic|bearer|digest|token|oauth|api_?key|prompt|ask|inherit|input|field|auto|default|include|omit|same-origin|vault|keyring|keychain|env|file|generated|random|options?|values?|arguments?|flags?)(?:$|[|:([?])/i;

const NAME_WORD_REGEXP =
  /pass(?:word|wort|wd|phrase|code)|secret|token|credential|api[-_ ]?key|(?:^|[-_ .])(?:key|pin|pass|pwd|auth)(?:$|[-_ .])/i;

/** Words that open a message about a value: "is required", "must match". */
const MESSAGE_REGEXP =
  /^(?:is|are|must|should|can|cannot|may|has|does|did|was|not|please|at|the|an?|this|that|no|too|only|for|to|of|in|used|user|optional|required|invalid|missing|we|you|your|if|when|use|set|forgot|reset|new|confirm|current|repeat|wrong|incorrect|keep|all|one|and|or) /i;

/**
 * Whether a literal is no secret whatever its name says: a template, a reference to where the
 * secret is, a placeholder, the name of a variable.
 */
export function isPlaceholder(value: string): boolean {
  const head = value.slice(0, 512);
  if (head === REDACTED || head.trim() === "") return true;
  if (TEMPLATE_REGEXP.test(head) || REFERENCE_REGEXP.test(head)) return true;
  if (CHOICE_REGEXP.test(head)) return true;
  const hasDigit = /[0-9]/.test(head);
  if (!hasDigit && PLACEHOLDER_REGEXP.test(head)) return true;
  if (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(head)) return !hasDigit || NAME_WORD_REGEXP.test(head);
  return false;
}

/**
 * Whether a literal under a password's name is one: anything but placeholders, labels and messages
 * for people, and names of other things.
 */
export function looksLikePassword(value: string): boolean {
  const head = value.slice(0, 512);
  if (head.length < 4 || isPlaceholder(head)) return false;
  if (/^[\s,)+;:}\]]/.test(head) && !/^\+[\w+/=-]{7,}$/.test(head)) return false;
  if (!/[A-Za-z0-9\u0080-\uffff]/.test(head)) return head.length >= 8 && !/\s/.test(head);
  if (/[0-9]/.test(head) && !/\s/.test(head)) return true;
  if (MESSAGE_REGEXP.test(head)) return false;
  if (/\s/.test(head)) return !isSentence(head);
  if (/^[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+[:*]?$/.test(head)) return false;
  if (/^[\u0250-\uffff\s]+$/.test(head)) return false;
  if (isNameOfThing(head)) return false;
  // A call, an arrow, a property: text that is code.
  return !/^[\w.$]+\(.*\)$|=>|^(?:this|self|process|options|config|props|params|args|req|ctx)\./
    .test(head);
}

/** A label or message: opens with a capital, ends like a sentence, or speaks of passwords. */
function isSentence(value: string): boolean {
  return /^[A-Z¿¡\u00c0-\u00de\u0250-\uffff]/.test(value) || /[.:?!…,]$/.test(value) ||
    NAME_WORD_REGEXP.test(value) || / {2}|[(){}<>=;]/.test(value);
}

/** `password`, `db-password`, `auth.token`, `newPassword`: names that speak of a secret. */
function isNameOfThing(value: string): boolean {
  if (!NAME_WORD_REGEXP.test(value) || /super/i.test(value)) return false;
  return /^(?:password|passwords|passwd|passphrase|secret|secrets|token|credential|credentials|pwd|pass)$/i
    .test(value) ||
    /^[A-Za-z]+(?:[-_./:][A-Za-z]+)+$/.test(value) ||
    /^(?:user|new|old|current|confirm|client|db|admin|login|access|auth|api|repeat|verify|reset|forgot|encrypted|hashed|plain|get|set|on|show|hide|is|has)[A-Z][A-Za-z]*$/
      .test(value);
}

/** Whether a literal under a name of some kind is a secret. */
export function isSecretLiteral(kind: SecretNameKind, value: string): boolean {
  switch (kind) {
    case "password":
      return looksLikePassword(value);
    case "pin":
      return /^[0-9]{4,12}$/.test(value);
    case "key":
      return looksRandom(value) && !isPlaceholder(value);
    case "token":
      return looksRandom(value) && !isPlaceholder(value) && !isUuid(value);
  }
}
