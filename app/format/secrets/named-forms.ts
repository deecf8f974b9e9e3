/**
 * One value in shell syntax: pieces in quotes, in escaped quotes, or bare, concatenated. An
 * unclosed quote reaches to the end, because texts get cut. A quote that ends a word ends what is
 * around the value and is not part of it. Each piece begins with a different character, so matching
 * takes linear time.
 */
const quoted = String.raw`"(?:[^"\\]|\\(?:[\s\S]|$))*(?:"|$)|'[^']*(?:'|$)`;
const bare = String.raw`[^\s"'\\;|&<>()\u0060]`;
const escaped = String.raw`\\+(?:"[\s\S]*?(?:\\"|$)|'[\s\S]*?(?:\\'|$)|[^"']|$)`;
const ends = String.raw`(?!["']{1,2}(?:[\s;|&),\]}]|$))`;
export const word = new RegExp(`(?:${quoted}|${escaped}|${bare})(?:${ends}(?:${quoted}|${escaped}|${bare}))*`, 'uy');
/** The list of a loop, unless a program or a pattern makes it. */
export const words = /(?!\$\(|["']?\$|\d{1,3}(?:\s|$)|\u0060|[^;\n'\x22]*[*{])[^;\n]+/uy;
/** In JSON, YAML and headers a value is one piece. */
const item = new RegExp(
  String.raw`${ends}(?:""[^"]+""|''[^']+''|${quoted}|${escaped}|[^\s"'\\;,}\]|&<>()\u0060]+)`,
  'uy',
);

/** A form in which a name precedes its value, with the pattern of the value. */
export interface NamedForm {
  /** The first group is the name; the value begins where the match ends. */
  readonly head: RegExp;
  /** The group that is the name, if not the first. */
  readonly group?: number;
  /** Sentences and names of tasks have this form too: `Rotate token: new header`, `auth:login`. */
  readonly prose?: true;
  readonly value: RegExp;
  /** The form alone says that it is a secret, whatever the name. */
  readonly always?: true;
}

/** A quote as it stands in a text, perhaps within quotes: `"`, `\\"`, `'"'"'`, `'\\''`. */
const quote = String.raw`(?:['"\\]{0,64})`;

/** What a substitution puts in; it ends with the substitution's delimiter. */
const substitutions = (given: string): readonly NamedForm[] => {
  const mark = given === '|' ? String.raw`\|` : given;
  const start = String.raw`(?<![\w])s${mark}`;
  const value = new RegExp(String.raw`[^${mark}\n]+`, 'uy');
  return [
    // s|__NAME__|value|
    String.raw`[^\w\s]*(?:__|@|\{\{|<|\$\{|%)\s*([A-Za-z]\w*?)\s*(?:__|@|\}\}|>|\}|%)[^\w\s]*${mark}`,
    // s/^(NAME:).*/$1value/
    String.raw`[^\s\w]*([A-Za-z][\w-]*)[^\w\n]{1,12}(?:s[*+][^\w\n]{0,4})?(?:\.\*|\[[^\]\s]*\][*+])?\$?${mark}(?:\\\d|\$\d|\$\{\d\}|\\g<\d>)\s*`,
    // s/NAME=old/NAME=value/
    String.raw`[^${mark}\n]{1,100}${mark}[^\w\n${mark}]*([A-Za-z_][\w.-]*)["']?\s*[:=]\s*`,
  ].map((head) => ({ head: new RegExp(start + head, 'gu'), value }));
};

/** The forms in which commands, settings and programs name a secret in front of its value. */
export const namedForms: readonly NamedForm[] = [
  ...['/', '|', '#', ',', '~', '@'].flatMap(substitutions),
  // NAME=value, --name=value, ?name=value&
  { head: /(?<![\w.-])-{0,2}([A-Za-z_][\w.-]*)=/gu, value: word },
  // name = value, as in TOML and INI; a call, a member or a cmdlet is code, not a value
  {
    head: new RegExp(
      String.raw`(?<![\w-])([A-Za-z_][\w-]*)\s+=\s+(?![A-Za-z_][\w.]*[(.[]|[A-Z][A-Za-z]+-[A-Z])(?!(?:await|new|input|gets|None|null|undefined|str|string)\b)${ends}`,
      'gu',
    ),
    value: word,
    prose: true,
  },
  // UID=name;PWD=value of ODBC; alone it is the folder of a shell
  { head: /(?:(?<=;)|\b(?=pwd=[^;\s'"]+;\w[\w ]*=))(pwd)=/giu, value: item, always: true },
  // user=name%value of CIFS
  { head: /\b(user(?:name)?)=[\w.\\-]+%(?![\dA-F]{2})(?=[^\s,'"]{0,200}\d)/gu, value: /[^\s,'"]+/uy, always: true },
  // ("user", "password") where a call or a name says so
  {
    head: /\b(auth\s*=\s*\(|[A-Za-z]*basic_?auth(?:\(|\s)|login\(|db\.auth\(|createClient\()\s*(?:"[^"]*"|'[^']*'|[\w.]+)\s*,\s*(?=["'])/giu,
    value: item,
    always: true,
  },
  // connect("host", "user", "password") of PHP
  {
    head: /\b((?:my|pg|mssql|oracle)\w{0,8}\.connect|mysqli(?:_connect|_real_connect)?|pdo|ftp(?:_tls|_login)?|imap_open|ssh2_auth_password)\((?:[^,()'"]*|'[^']*'|"[^"]*")\s*,\s*(?:'[^']*'|"[^"]*"|\$\w+)\s*,\s*(?=["'])/giu,
    value: item,
    always: true,
  },
  // user = "name:password" of curl
  { head: /\b((?:proxy-)?user)\s*=\s*["'][^"':\s]+:(?=[^\s"'])/gu, value: item, always: true },
  // /name:value of Windows
  { head: /(?<=\s)\/([A-Za-z][\w-]*)[:=](?=\S)/gu, value: word },
  // <name>value</name>
  { head: /<([A-Za-z][\w.-]*)>(?=[^<>\n]+<\/)/gu, value: /[^<>\n]+/uy },
  // SET PASSWORD FOR name = value
  { head: /\bset\s+(password)\s+for\s+[^\s=]+\s*=\s*(?=['"\\])/giu, value: item, always: true },
  // connect("jdbc:…", "user", "value")
  {
    head: /\(\s*["']((?:jdbc|dbi|mysql|pgsql|odbc|oci|sqlsrv|dblib):[^"']*)["']\s*,\s*["'][^"']*["']\s*,\s*(?=["'])/giu,
    value: item,
    always: true,
  },
  // --password-file <(echo value)
  {
    head: /(?<![\w-])--?(?=[\w-]{0,64}(pass|pw|secret|token|key|pin|auth))[\w-]{1,64}[=\s]\s{0,4}<\(\s{0,4}(?:echo|printf)\s+(?:-\w+\s+|'%s'\s+)?(?:["']?[\w.@-]+\\n(?=[^"'\\\s]))?/gu,
    value: /[^\s"'\\)]+/uy,
    always: true,
  },
  // 'name' => 'value'
  { head: new RegExp(String.raw`(?<![\w-])([A-Za-z_][\w-]*)${quote}\s*=>\s*(?=["'\\])`, 'gu'), value: item },
  // name <(echo value)
  { head: /(?<![\w-])-{0,2}([A-Za-z][\w-]*)\s+<\(\s*(?:echo|printf)\s+(?:-\w+\s+|'%s'\s+)?/gu, value: word },
  // expect "assword:"; send "value\r"
  {
    head: /(ass(?:word|phrase|code)|token|secret)[^;\n]{0,40}[;\n{]\s*send\s+(?:--\s+)?(?=["'{\\])/giu,
    value: word,
    always: true,
  },
  // echo user:value | base64
  {
    head: /\b(echo|printf)\s+(?:-\w+\s+)?["']?[\w.@-]+:(?=[^\s:"'|]+["']?\s*\|\s*(?:base64|openssl))/gu,
    value: item,
    always: true,
  },
  { head: /\b(base64)\s+(?:-\w+\s+){0,8}<<<\s*["']?[\w.@-]+:(?=[^\s:"'])/gu, value: item, always: true },
  // user name value, as ftp reads it
  { head: /\bftp\b[^\n]{0,200}\n\s*(user)\s+\S+\s+(?=\S)/gu, value: word, always: true },
  // change_password("name", "value")
  {
    head: /(?<!\w)(\w{0,24}(?:set|change|update|reset|check|verify)_?(?:user_?)?password\w{0,24})\((?:\s*(?:"[^"]*"|'[^']*'|[\w.]+)\s*,){1,3}\s*(?=["'])/giu,
    value: item,
    always: true,
  },
  // set_password("value"), bcrypt.hash("value"), create_user("name", "mail", "value")
  {
    head: /\b((?:set|make|check|hash|verify|encrypt|generate)_?password\w{0,24}|password(?:_hash|_verify|\.hash|\.verify)|hmac\.(?:new|digest)|hashpw|bcrypt|(?:bcrypt(?:js)?|hash)["']?\)?(?:\.|::)\w+|crypt|new\s+stripe|argon2["']?\)?\.\w+|create_(?:super)?user\((?:[^()]*,)?)(?:(?<=[(,])|\()\s*b?(?=["'])/giu,
    value: item,
    always: true,
  },
  // hash("value", 10) of bcrypt, jwt.decode(…, key="value")
  {
    head: /\b(hash(?:sync)?\(\s*(?=["'][^"'\n]{0,200}["'],\s*\d{1,2}\b)|jwt\.\w{2,10}\([^\n;]{0,200}?\bkey\s*=\s*)(?=["'])/giu,
    value: item,
    always: true,
  },
  // PASS value\r\n, a1 LOGIN name value, AUTH PLAIN value, as written to a port
  {
    head: /(?:(?<!\w)|(?<=\\[nr]))(PASS|AUTH)\s+(?!LOGIN|PLAIN)(?=[^\s"'\\]+\\r)/gu,
    value: /[^\s"'\\]+/uy,
    always: true,
  },
  { head: /(?:(?<!\w)|(?<=\\[nr]))USER\s+[^\s\\]+(?:\\r|\\n|\s){1,4}(PASS)\s+/gu, value: /[^\s"'\\]+/uy, always: true },
  { head: /(?:(?<!\w)|(?<=\\[nr]))[A-Za-z]?\d{1,4}\s+(LOGIN)\s+[^\s"'\\]+\s+/gu, value: /[^\s"'\\]+/uy, always: true },
  {
    head: /(?:(?<!\w)|(?<=\\[nr]))AUTH\s+(LOGIN|PLAIN)(?:\\r|\\n|\s){1,4}/gu,
    value: /(?:[A-Za-z\d+/=]{8,}(?:\\r|\\n|\s){0,4}){1,2}/uy,
    always: true,
  },
  // name ?? "value", get("name") || "value"; $name of a shell is no value's name
  {
    head: new RegExp(
      String.raw`(?<![\w$\x7b-])([A-Za-z_][\w-]*)${quote}[)\]]?\s*(?:\?\?|\|\||\?:|\bor\b)\s*(?=["'\\])`,
      'gu',
    ),
    value: item,
  },
  // 'name'='value' and $env:name value of PowerShell, $ENV{name}="value" of Perl
  {
    head: new RegExp(String.raw`(?:(?<=[@{;,(\s]["'])|\bENV\{["']?)([A-Za-z_][\w-]*)["']?\}?\s*=\s*(?=["'\\])`, 'gu'),
    value: item,
  },
  { head: /\benv:([A-Za-z_]\w*)\s+(?:-Value\s+)?(?=[^\s=-])/giu, value: word },
  // setItem("name", "value")
  {
    head: new RegExp(
      String.raw`\b(?:\w{0,24}set\w{0,24}|put\w{0,24}|\w{0,24}env|get|fetch|append|define|(?:add_)?header|cookie|fill|type)\(\s*${quote}[#.]?([A-Za-z_][\w.-]*)${quote}\s*,\s*(?=["'\\])`,
      'giu',
    ),
    value: item,
  },
  // ?key=value, where the name is as good as none
  { head: /[?&](key|code|k|appid|sid)=(?=[\w-]*\d)(?=[\w-]{16})/gu, value: item, always: true },
  // --arg name value
  { head: /--arg(?:json)?\s+([A-Za-z_]\w*)\s+/gu, value: word },
  // getByLabel("name").fill("value")
  {
    head: /\(\s*["'][#.]?([A-Za-z_][\w-]*)["']\s*\)\s*\.(?:fill|type|set_?value|send_?keys|set)\(\s*(?=["'])/giu,
    value: item,
  },
  // name: Type = "value"; ENV name value of a Dockerfile; settings of Redis
  { head: /(?<=^|\n)(requirepass|masterauth)[ \t]+(?=\S)/gu, value: /\S+/uy },
  { head: /(?<![\w-])([A-Za-z_][\w-]*): ?&?[A-Za-z][\w<>'?]{0,30} = (?=["'])/gu, value: item },
  { head: /(?<=^|\n)[ \t]*ENV[ \t]+([A-Z_]\w*)[ \t]+(?=[^\s=])/gu, value: /\S+/uy },
  // VALUES ('name', 'value') of SQL
  { head: /\bvalues\s*\(\s*'([A-Za-z_][\w.-]*)'\s*,\s*(?=')/giu, value: item },
  // PASSWORD('value') of SQL
  { head: /(\bPASSWORD|=\s*password)\(\s*(?=['"\\])/gu, value: item, always: true },
  // --password-command 'echo value'
  {
    head: /(?:pass(?:word|phrase)?|askpass|token|secret|key)[-_]?(command|cmd|eval)?[=\s]+["']?(?:echo|printf)\s+/giu,
    value: word,
    always: true,
  },
  // host:port:database:user:value, as in .pgpass
  {
    head: /(?<![\w.*:/-])([\w.*-]+):(?:\d{4,5}|\*):(?!\d+:)[\w.*-]+:[\w.*-]+:(?=[^\s:])/gu,
    value: item,
    always: true,
  },
  // sign(payload, "value"), createHmac("sha256", "value"), encode({…}, "value")
  {
    head: /\b(sign|verify|encode|decode|createHmac|hmac_sha256|hash_hmac)\((?:\{[^{}]*\}|[\w.]+(?:\[[^\]\n]{1,40}\])?|"[^"]*"|'[^']*')\s*,\s*(?=b?["'\\])b?/gu,
    value: item,
    always: true,
  },
  // PASSWORD 'value', IDENTIFIED BY 'value', `: PSK "value"`, PRAGMA key='value'
  {
    head: /((?:\bpassword|\bidentified(?:\s+with\s+\S+)?\s+by(?:\s+password)?|,\s*secret|:\s*(?:PSK|EAP|XAUTH))(?=\s)|\bPRAGMA\s+(?:\w+\.)?(?:hex)?(?:re)?key\s*=)\s*(?=['"\\])/giu,
    value: word,
    always: true,
  },
  // login name password value, as in .netrc
  { head: /(?:\b|\\n)(?:login|user|account)\s+[^\s\\]+(?:\s|\\n)+(password)\s+(?=\S)/gu, value: word },
  // --name value, -name value; the value doesn't begin like another option
  { head: /(?<![\w.-])--?([A-Za-z][\w.-]*)\s+(?!-)/gu, value: word },
  // ["name"] = "value", ["name"] "value"
  {
    head: new RegExp(String.raw`(?<![\w.-])([A-Za-z_][\w.-]*)${quote}\s*\]\s*(?:=\s*|(?=["'\\]))`, 'gu'),
    value: word,
  },
  // "name": "value", \"name\": \"value\", name: value; but ${name:?text}
  {
    head: new RegExp(String.raw`(?<![\w.:/-])([A-Za-z_][\w.-]*)${quote}?\s*:(?![?+:])[-=]?\s*`, 'gu'),
    value: item,
    prose: true,
  },
];
