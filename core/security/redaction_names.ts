/**
 * What kind of secret a name stands for, from sure to doubtful:
 * `password` (and passphrase, secret): any literal is one, numbers too; `pin`: only digits are one;
 * `key` and `token`: only a value that looks random is one.
 */
export type SecretNameKind = "password" | "pin" | "key" | "token";

const ENV_NAME_REGEXP = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;

/**
 * Whether the name of an environment variable says that its value is secret: it contains KEY,
 * TOKEN, SECRET, PASSWORD, PASSWD or CREDENTIAL. Such variables are removed from the environment of
 * commands, and their values are redacted wherever they appear.
 */
export function isSecretEnvName(name: string): boolean {
  return ENV_NAME_REGEXP.test(name);
}

/** Last words that make a name mean something about a secret, not the secret. */
const HARMLESS_LAST: ReadonlySet<string> = new Set(
  `budget limit limits count counts length len size max min type types kind name names id ids idx
  index url uri urls endpoint host path paths file files filename dir folder env var variable field
  fields label title hint placeholder message msg error errors text prompt regex regexp pattern
  format prefix suffix header headers param params parameter policy strategy provider store storage
  manager service handler helper factory builder generator validator validation parser stream
  reader writer source list map set array table column row button input form page view screen icon
  toggle visibility visible strength score changed expired expiry expires expiration ttl timeout age
  lifetime at date time in ms seconds minutes hours days usage used cost price rate total hash
  hashes hashed digest checksum encoding algorithm alg version status state enabled disabled
  required optional valid invalid ref refs reference selector class style color position pos offset
  start end begin line col scope scopes issuer audience arn region callback cb fn func function test
  tests spec doc docs option options config settings rule rules mode level entry response request
  result results info details model dto schema interface props event listener action change update
  exists missing needed only first last next prev tokenizer ending arg args flag category
  group description desc summary help note notes regexes cmd command`.split(/\s+/),
);

/** First words that make a name a question, a number or a switch. */
const HARMLESS_FIRST: ReadonlySet<string> = new Set(
  `is has show hide use num max min total no should can needs require requires with without allow
  skip enable disable n next page pagination continuation cursor starting cancellation cancel
  change sync`.split(/\s+/),
);

const PASSWORD_WORDS: ReadonlySet<string> = new Set(
  `password passwords passwd passphrase passwort secret dbpass dbpassword userpassword mypassword
  rootpassword adminpassword clientsecret appsecret sharedsecret pgpassword mysecret storepass
  keypass`.split(/\s+/),
);

/** What must stand before `key` so that it is not the key of a map, a table or a keyboard. */
const KEY_QUALIFIERS: ReadonlySet<string> = new Set(
  `api access secret private encryption encrypt decryption signing sign client auth account storage
  service master session license deploy webhook app shared subscription consumer admin developer
  vapid jwt hmac cipher sas aes token password cookie hash`.split(/\s+/),
);

const GLUED_KEYS: ReadonlySet<string> = new Set(
  `apikey accesskey secretkey privatekey authkey accountkey sharedaccesskey secretaccesskey
  encryptionkey signingkey masterkey`.split(/\s+/),
);

const TOKEN_WORDS: ReadonlySet<string> = new Set(
  `token credential credentials secrets authtoken accesstoken refreshtoken apitoken bearertoken
  idtoken`.split(/\s+/),
);

const PIN_WORDS: ReadonlySet<string> = new Set(["pin", "passcode", "otp"]);

const known = new Map<string, SecretNameKind | null>();

/** The kind of secret that a name in code or configuration stands for; `undefined` for none. */
export function secretNameKind(name: string): SecretNameKind | undefined {
  const cached = known.get(name);
  if (cached !== undefined) return cached ?? undefined;
  // Names come from outside: the memory of them is bounded.
  if (known.size >= 2_000) known.clear();
  const kind = classify(name);
  known.set(name, kind ?? null);
  return kind;
}

/** Words of a name in any convention, in lower case; digits at the end are dropped. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b}`)
    .replace(/([A-Z])([A-Z][a-z])/g, (_, a: string, b: string) => `${a} ${b}`)
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

/** Whether a name is written as environment variables are. */
export function isScreaming(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}

function classify(name: string): SecretNameKind | undefined {
  const words = splitName(name);
  const last = words.at(-1);
  const first = words[0];
  if (last === undefined || first === undefined) return undefined;
  if (HARMLESS_LAST.has(last) || (words.length > 1 && HARMLESS_FIRST.has(first))) return undefined;
  const isScreamingName = isScreaming(name);
  // A word that says little may follow in an environment variable: PASSWORD_PROD, API_KEY_OPENAI.
  const from = isScreamingName ? 0 : Math.max(words.length - 2, 0);
  let found: SecretNameKind | undefined;
  for (let i = words.length - 1; i >= from && found === undefined; i--) {
    found = kindOfWord(words, i, isScreamingName);
    // In camelCase only `value`, `string` and the like may follow.
    if (found === undefined && !isScreamingName && !FILLERS.has(words[i] ?? "")) return undefined;
  }
  return found;
}

const FILLERS: ReadonlySet<string> = new Set(
  `value string str confirmation confirm base plain raw old new default prod dev staging`.split(
    " ",
  ),
);

function kindOfWord(
  words: readonly string[],
  at: number,
  isScreamingName: boolean,
): SecretNameKind | undefined {
  const word = words[at] ?? "";
  const before = words[at - 1];
  if (word === "key" || word === "keys") {
    if (before !== undefined && KEY_QUALIFIERS.has(before)) return "key";
    return isScreamingName && before !== undefined && before !== "public" && word === "key" &&
        at === words.length - 1
      ? "key"
      : undefined;
  }
  if (PASSWORD_WORDS.has(word)) return "password";
  if (word === "pwd") return words.length === 1 && isScreamingName ? undefined : "password";
  if (word === "pass") {
    return before === undefined ? "token" : isScreamingName ? "password" : "token";
  }
  if (PIN_WORDS.has(word)) return "pin";
  if (GLUED_KEYS.has(word)) return "key";
  if (TOKEN_WORDS.has(word) || word === "auth" && words.length === 1) return "token";
  return undefined;
}
