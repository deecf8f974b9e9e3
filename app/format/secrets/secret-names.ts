/**
 * Decides whether a name (of an environment variable, an option, a header, a field) says that its
 * value is a secret. Names are split into words first, so that `tokenizer`, `bypass` and `author`
 * are not mistaken for `token`, `pass` and `auth`.
 */

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/u));

/** Words that make any name secret, at any position. */
const secretWords = listed(`
  password passwords passwd passphrase passcode secret secrets token tokens apikey apikeys credential credentials authorization
  authkey sshpass passwort kennwort passhash mnemonic bearer cookie cookies jwt signature privatekey accesskey secretkey sessionkey authtoken accesstoken pgpassword mysqlpwd
`);

/** Word endings that mean the same without a boundary: `tlspassword`, `newpasswd`. */
const secretWordEnd =
  /(?:password|passwd|passphrase|secret|token|apikey|accesskey|secretkey|cookie|(?:require|db|root|user|key|store|smtp|mail|admin|sql|pg|ftp|ssh|proxy|login|bind|master|ldap|redis|mongo|remote|imap|vpn|wifi|http|auth)pass|masterauth|[a-z]pw|(?<!old)pwd|pswd|passw)$/u;

/** Words that make a name secret only at its end: `DB_PASS`, but not `--pass-through`. */
const secretEndings = listed('pass pwd pw psk auth sig pin otp pat creds cred');

/** Words before `key` that make it secret. `--key`, `--sort-key`, `primaryKey` are not. */
const secretKeyKinds = listed(`
  api access private secret encryption encrypt signing sign master account storage service license licence auth deploy webhook
  session shared preshared client app application subscription anthropic openai gemini google stripe aws azure mistral groq openrouter
  sendgrid mailgun
`);

/** Last words that make the name a property of the secret: its place, its length, its handler. */
const harmlessEndings = listed(`
  file files path paths dir directory folder stdin fd url uri endpoint host port name names type id ids env var variable command cmd
  helper prompt policy arn ref length count limit size ttl expiry expires expiration timeout budget ratio rate usage format field
  header enabled disabled required store manager provider source mode method sock socket jar version algorithm scope scopes audience
  issuer parallelism only domain at attempts hasher backend engine driver handler validator strategy generator encoder len per minute
  second
`);

/** Words before `key` in names of what is looked up by it, in an environment too. */
const lookupKinds = listed('cache partition sort primary foreign routing public index idempotency group restore range');

/** An option that makes the program ask for it: `--ask-password`, `--no-password`. */
const asking = /^-*(?:ask|prompt|no|without|skip)-/u;

/** Names that end like a secret and are not: the working folder of every shell. */
const harmlessNames = listed('PWD OLDPWD');

/** Options of gcloud and systemd whose values are names and places of secrets. */
const referring = /^-*(?:(?:set|update|remove)-secrets|LoadCredential(?:Encrypted)?|ImportCredential)$/u;

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    // `password2` is a second one.
    .map((word) => word.replace(/(?<=[a-z]{4})\d$/u, ''))
    .filter((word) => word !== '');

/** True if values of this name are hidden. Case, `_`, `-`, `.`, camelCase make no difference. */
export const isSecretName = (name: string): boolean => {
  // The scripts of a package.json have names of their own.
  if (harmlessNames.has(name) || asking.test(name) || name.startsWith('scripts.')) return false;
  const words = wordsOf(name);
  const last = words.at(-1);
  if (last === undefined || harmlessEndings.has(last) || words.includes('existing') || referring.test(name))
    return false;
  // The key under which a password is kept: `adminPasswordKey`.
  if (last === 'key' && words.at(-2) === 'password') return false;
  if (secretEndings.has(last) || words.some((word) => secretWords.has(word) || secretWordEnd.test(word))) return true;
  const isKey = last === 'key' || last === 'keys';
  // An environment variable that ends in _KEY is usually a secret; an option or a field is not.
  const kind = words.at(-2) ?? '';
  return (
    isKey && (secretKeyKinds.has(kind) || (/^[A-Z\d]+(?:_[A-Z\d]+)*_KEYS?$/u.test(name) && !lookupKinds.has(kind)))
  );
};

/** True for a file that by its name holds a secret: `.pgpass`, `db-password.txt`. */
export const isSecretFile = (path: string): boolean =>
  /(?:^|[/._-])(?:passwords?|passwd|passphrase|secrets?|token|credentials?|netrc|pgpass|htpasswd|userlist|psk|api[-_]?key)(?:\.txt)?$/iu.test(
    path,
  );

/**
 * True for what a person makes up as a password, and hardly ever as a name, a number, a path or a
 * pattern: one word of small letters and digits, with a capital or a sign among them.
 */
export const isMadeUpPassword = (word: string): boolean =>
  /^(?=.*\d)(?:[a-z\d]{4}-){3}[a-z\d]{4}$/u.test(word) ||
  /^(?=.*[a-z])(?=.*\d)(?=.*[A-Z!$%&#+@])[\w!$%&#+@-]{6,64}$/u.test(word);

/** Where a secret is kept, as OpenSSL takes it: `env:NAME`, `file:PATH`. */
export const isPlace = (value: string): boolean => /^(?:env:[A-Za-z_]\w*|file:\S+|fd:\d+)$/u.test(value);

/**
 * True if a value can't be a secret in spite of its name: a switch, a count or names of tokens, a
 * key file, one or two characters, or an already hidden value.
 */
export const isHarmlessValue = (name: string, value: string): boolean =>
  /^[*…]*$/u.test(value) ||
  /^(?:true|false|yes|no|on|off|none|null|nil|undefined|0|1|error|warn|always|never|required|optional)$/iu.test(
    value,
  ) ||
  isPlace(value) ||
  // A template puts the value in: `{{ db_password }}`.
  /^["']?\$?\{\{(?!\w+\}\})/u.test(value) ||
  // A file, by where it is, or by what it ends with.
  /^["']?(?:~|\.{1,2})?(?:\/[a-z][a-z\d._-]*){2,}["']?$/u.test(value) ||
  /^["']?[\w./~-]*[\w-]\.(?:sig|pem|key|crt|cer|p12|jks|asc|gpg|txt|json|ya?ml|toml|env|[jt]sx?|py|sh)["']?$/u.test(
    value,
  ) ||
  // A placeholder: `<token>`, `YOUR_API_KEY`, `xxx`.
  /^["']?(?:<[^<>]{0,64}>|your[_-][\w-]{1,64}|x{3,}|\.{3})["']?$/iu.test(value) ||
  // What a program takes from its environment; an empty list.
  /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|Deno\.env)\b|^\[\]/u.test(value) ||
  // Types of a column, and a secret of a build by its id.
  /^(?:string|text|integer|uuid|digest|boolean|references)$/u.test(value) ||
  /^(?:str|bytes|string|number|unknown|any|boolean|secretstr)(?:[!?]|\[\])?$/iu.test(value) ||
  // A filter of jq, a format, a pattern.
  /^["']?(?:\.[A-Za-z_]\w*$|%[sqd]|\(?\.\*|\[\^|\\[SdwW][+*])/u.test(value) ||
  value.startsWith('id=') ||
  // Shorter than any secret: ffmpeg's `-pass 2`, sed's `/token:/p`.
  /^["']?[^"']{0,2}["']?$/u.test(value) ||
  (/tokens$/iu.test(name) && /^"?(?:\d{1,9}|[a-z]{1,12}(?:,[a-z]{1,12})*)"?$/u.test(value)) ||
  (/(?:keys?|credentials?|creds|cookies)$/iu.test(name) && /^["']?(?:~|\.{1,2})?\//u.test(value));

/** The tag of an image, the id in a key of a store: `token-service:1.4.2`, `token:42:expires`. */
export const isTag = (name: string, value: string): boolean =>
  /^(?:v?\d+(?:\.\d+){1,3}(?:-[\w.]+)?|\d{1,6}(?::[\w*-]+)*|[a-z]{3,12}(?::(?:\d{1,9}|\*|[a-z]{2,12}))+|sha-[\da-f]+)$/u.test(
    value,
  ) && !/(?:pass\w*|pw|pwd|pin|otp)$/iu.test(name);

/** True for words behind a colon that say something: `auth: drop cookies after logout`. */
export const isSentence = (text: string): boolean => /^[a-z]{2,12}(?: [a-z]{2,12}){2,}/u.test(text);

/**
 * True for text that a shell has yet to expand: `$TOKEN`, `"${TOKEN}"`, `$(pass show x)`. In single
 * quotes it would be the secret itself, unless it is all capitals.
 */
export const isShellVariable = (value: string): boolean =>
  /^(?:\\?"?\$(?:[A-Za-z_]\w*|\{\w+(?::?[-=])?\}?|\{\w+(?![:]?[-=])[^}\w][^}]*\}|\([^)]*\)?)?\\?"?|'?\$[A-Z][A-Z_]{2,}'?)$/u.test(
    value,
  );
