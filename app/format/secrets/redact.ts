import { kept } from '../kept.ts';
import type { SafeText } from './safe-text.ts';
import { isHarmlessValue, isSecretName, isSentence, isShellVariable, isTag } from './secret-names.ts';
import { hideArguments, hideInArguments } from './hide-arguments.ts';
import { type NamedForm, namedForms, word, words } from './named-forms.ts';
import { hideInRows } from './secret-rows.ts';
import { hidden, hideAddresses, hideShapes } from './secret-shapes.ts';

/** Maximum length of the result, in UTF-16 code units. */
export const redactedLengthLimit = 8192;

/** Length of the examined part: hiding costs time, and the rest is cut off anyway. */
const examinedLengthLimit = 2 * redactedLengthLimit;

/** A quoted header: its value reaches to the closing quote. */
const quotedHeader = /(["'])([A-Za-z][\w-]*)(\s*:\s*)([^"'\n]+)/gu;
/** The scheme before the secret in `Authorization: Bearer …`. */
const scheme = /^(?:bearer|basic|token|digest|negotiate|apikey|key)$/iu;
const bearer = /(?<![\w-])(bearer\s+)(?!\*\*\*)[\w.~+/=-]{4,}/giu;

const isShown = (name: string, given: string): boolean =>
  !isSecretName(name) ||
  isHarmlessValue(name, given) ||
  isShellVariable(given) ||
  scheme.test(given) ||
  // The name's own quotes end, and a variable begins: `'X-Api-Key: '"$KEY"`.
  /^'"\$\{?\w/u.test(given);

/** A single-quoted script with such quotes inside: `'"'"'`, as Claude Code writes, or `'\''`. */
const nested = /'([^']*(?:'(?:"'"|\\')'[^']*)+)('|$)/gu;
const innerQuote = /'(?:"'"|\\')'/gu;
/** Stands for a script that has been redacted by itself; private use, so in no text by chance. */
const place = (index: number): string => `\uE000${index}\uE001`;
const maxNesting = 6;

/** `pulumi config set --secret KEY VALUE`, `gcloud secrets … --secret=NAME`: a name follows. */
const isFlag = (text: string, from: number, name: string): boolean =>
  name === 'secret' && /(?:config\s+set|gcloud\s+secrets)\s[^;|&\n]*$/u.test(text.slice(Math.max(0, from - 200), from));

/** Values of a Secret of Kubernetes, whatever their names: block lines, or one flow mapping. */
const secretData = /\bstringData["']?\s*:\s*(?:\{[^}]*\}?|(?:(?:\n|\\n)[ \t]+[\w.-]+["']?:[ \t]+[^\n\\]+)+)/gu;
const dataValue = /((?:^|[\s{,])["']?[\w.-]+["']?:[ \t]*)(?![\s{]|\*\*\*)("[^"]*"?|'[^']*'?|[^\s,}\\]+)/gu;

const hideSecretData = (text: string): string =>
  text.replace(secretData, (data) => {
    const start = data.indexOf(':') + 1;
    return data.slice(0, start) + data.slice(start).replace(dataValue, `$1${hidden}`);
  });

/** A plain word behind a colon, in a sentence or right behind a bare name, is no value. */
const isProse = (text: string, found: RegExpExecArray, given: string): boolean => {
  // The first key of a mapping.
  if (found[0].endsWith(' ') && found[0].includes('\n') && /^[A-Za-z][\w.-]*:$/u.test(given)) return true;
  const isBare = /\w:$/u.test(found[0]);
  if (isBare && isTag(found[1] ?? '', given)) return true;
  if (!/^[a-z]{3,12}$/u.test(given)) return false;
  if (isBare) return true;
  const after = found.index + found[0].length + given.length;
  const left = text.slice(Math.max(0, found.index - 2), found.index);
  const right = text.slice(after, after + 40);
  return /^(?: [a-z]+){2}/u.test(right) || (/[A-Za-z;,.] $/u.test(left) && /^ [a-z]/u.test(right));
};

/** A quote and a blank: where the name is within such quotes, they end there. */
const isClosing = (text: string, at: number, given: string): boolean => {
  const mark = /^(["'])["']?[\s;|&)]/u.exec(given)?.[1];
  return mark !== undefined && text.slice(0, at).split(mark).length % 2 === 0;
};

/** Without the letter of a line feed or a tab before it: `a: b\napi_key: value`. */
const lineName = (text: string, found: RegExpExecArray, name: string): string =>
  /^[nrt]/u.test(name) && text[found.index + found[0].indexOf(name) - 1] === '\\' && isSecretName(name.slice(1))
    ? name.slice(1)
    : name;

/** A variable of the same name: `login(password=password)`. */
const isPassedOn = (text: string, at: number, name: string, given: string): boolean =>
  given === name && /[(,]\s*$/u.test(text.slice(Math.max(0, at - 3), at));

/** Skips only values of secret names: another option's value may be a script that holds secrets. */
const hideNamed = (text: string, { head, group, value, always, prose }: NamedForm): string => {
  let shown = '';
  let from = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    const name = lineName(text, found, found[group ?? 1] ?? '');
    if (always !== true && !isSecretName(name)) continue;
    if (isFlag(text, found.index, name)) continue;
    value.lastIndex = head.lastIndex;
    const given = value.exec(text)?.[0] ?? '';
    if (always === true ? isHarmlessValue('', given) || isShellVariable(given) : isShown(name, given)) continue;
    if (prose === true && isProse(text, found, given)) continue;
    if (isClosing(text, found.index, given) || isPassedOn(text, found.index, name, given)) continue;
    shown += `${text.slice(from, head.lastIndex)}${hidden}`;
    from = head.lastIndex + given.length;
    head.lastIndex = from;
  }
  return shown + text.slice(from);
};

const hideHeaders = (text: string): string =>
  text
    .replace(quotedHeader, (match, mark: string, name: string, colon: string, given: string) => {
      const [first = '', ...rest] = given.split(/\s+/u);
      const told = scheme.test(first) && rest.length > 0 ? rest.join(' ') : given;
      if (isShown(name, given) || told.trim() === '' || isShellVariable(told) || isSentence(given)) return match;
      if (isHarmlessValue(name, told)) return match;
      return `${mark}${name}${colon}${scheme.test(first) && rest.length > 0 ? `${first} ` : ''}${hidden}`;
    })
    .replace(
      /(?:(?<![\w-])|(?<=\\[nrt]))((?:proxy-)?authorization\s*[:=]\s*["']?(?:bearer|basic|token|digest|negotiate|apikey|key)\s+)(?!\$[A-Za-z_{(]|<[\w -]+>)[^\s"']+/giu,
      `$1${hidden}`,
    )
    .replace(bearer, `$1${hidden}`);

/** What takes a secret from a variable: `token: $t`, `--token $t`, `Bearer ${t}`, `me:$t@host`. */
const uses: readonly RegExp[] = [
  /(?<![\w.-])\.{0,2}([A-Za-z_][\w.-]*)["'\\]{0,64}\s*[:=]\s*["'\\]{0,64}\$\{?([A-Za-z_]\w*)/gu,
  /(?<![\w-])--?([A-Za-z][\w-]*)\s+["'\\]*\$\{?([A-Za-z_]\w*)/gu,
  /\b(?:(bearer)\s+|:\/\/[^\s/:@]*(:)(?=\S{1,200}@))(?:\$\{?|\{|["']\s*[+.]\s*)([A-Za-z_]\w*)/giu,
];

const formsOfVariables = (text: string, used: Set<string>): readonly NamedForm[] => {
  for (const use of uses)
    for (const found of text.matchAll(use)) {
      const [, name = '', , lone] = found;
      if (lone !== undefined) used.add(lone);
      else if (isSecretName(name) && !isFlag(text, found.index, name)) used.add(found[2] ?? '');
    }
  if (used.size === 0) return [];
  const any = [...used].join('|');
  return [
    { head: new RegExp(String.raw`(?<![\w.$-])(${any})=(?=[^=\s])`, 'gu'), value: word, always: true },
    { head: new RegExp(String.raw`(?<![\w.$-])(${any})\s+=\s*(?=["'\\])`, 'gu'), value: word, always: true },
    { head: new RegExp(String.raw`--arg(?:json)?\s+(${any})\s+`, 'gu'), value: word, always: true },
    { head: new RegExp(String.raw`\bread\s+(?:-\w+\s+)*(${any})\s*<<<\s*`, 'gu'), value: word, always: true },
    { head: new RegExp(String.raw`\bfor\s+(${any})\s+in\s+`, 'gu'), value: words, always: true },
  ];
};

const hideFlat = (text: string): string => {
  const shaped = hideInRows(hideShapes(hideAddresses(text)));
  const headed = hideHeaders(shaped);
  const used = new Set<string>();
  const told = hideArguments(namedForms.reduce(hideNamed, hideSecretData(headed)), used);
  return formsOfVariables(told, used).reduce(hideNamed, told);
};

/** A script in nested quotes is redacted as what the shell gets, and quoted again as it was. */
const hideOnce = (text: string, nesting = 0): string => {
  if (nesting === maxNesting || text.includes('\uE000')) return hideFlat(text);
  const scripts: string[] = [];
  const around = text.replace(nested, (_, body: string, end: string) => {
    const script = body.replaceAll(innerQuote, "'");
    const shown = hideOnce(script, nesting + 1);
    const inner = innerQuote.exec(body)?.[0] ?? '';
    innerQuote.lastIndex = 0;
    scripts.push(shown === script ? body : shown.replaceAll("'", inner));
    return `'${place(scripts.length - 1)}${end}`;
  });
  if (scripts.length === 0) return hideFlat(text);
  return hideFlat(around).replaceAll(/\uE000(\d+)\uE001/gu, (_, index: string) => scripts[Number(index)] ?? '');
};

const cut = (text: string): string => {
  if (text.length <= redactedLengthLimit) return text;
  // Never splits a surrogate pair.
  const end = /[\uD800-\uDBFF]/u.test(text.charAt(redactedLengthLimit - 2))
    ? redactedLengthLimit - 2
    : redactedLengthLimit - 1;
  return `${text.slice(0, end)}…`;
};

/** Cuts an overlong text at the end of a word: half a secret would no longer be recognised. */
const examined = (text: string): string => {
  if (text.length <= examinedLengthLimit) return text;
  const head = text.slice(0, examinedLengthLimit);
  const lastSpace = head.search(/\s\S*$/u);
  return lastSpace === -1 ? hidden : `${head.slice(0, lastSpace)} …`;
};

/**
 * Returns a text (such as a command line) without its secrets: tokens by their form, passwords in
 * addresses and headers, values whose names say that they are secret. Commit hashes, UUIDs and
 * paths stay. Guarantees: never throws, the result has at most `redactedLengthLimit` code units,
 * idempotent. In doubt it hides.
 */
export const redactCommand = (command: string): SafeText => {
  let text = examined(command);
  // Each round hides something new or is the last; crafted texts need three.
  for (let round = 0; round < 10; round += 1) {
    const next = cut(hideOnce(text));
    if (next === text) return text as SafeText;
    text = next;
  }
  return hidden as SafeText;
};

/**
 * Returns the arguments of a process as one redacted line. It knows more than `redact`: an argument
 * is one value whatever blanks it holds, and the shell has already expanded the variables.
 */
export const redactArguments = (argv: readonly string[]): SafeText => {
  const shown = hideInArguments(argv).map((argument, index) => {
    const before = argv[index - 1];
    const named = before !== undefined && /^--?[A-Za-z]/u.test(before) && !before.includes('=');
    const isSecret = named && !argument.startsWith('-') && isSecretName(before);
    if (isSecret && !isHarmlessValue(before, argument)) return hidden;
    // After -c follows a script: if it begins with an assignment, the rest of it is not part of the
    // value.
    if (before !== undefined && /^-[a-z]*c[a-z]*$/u.test(before)) return argument;
    const assigned = /^(-{0,2}([A-Za-z_][\w.-]*)=)([\s\S]+)$/u.exec(argument);
    const [, start = '', name = '', given = ''] = assigned ?? [];
    return assigned !== null && isSecretName(name) && !isHarmlessValue(name, given) ? `${start}${hidden}` : argument;
  });
  // `npm exec` writes its title over its arguments and pads it with blanks.
  return redactCommand(shown.join(' ').trimEnd());
};

const redacted = new WeakMap<readonly string[], SafeText>();

/**
 * Returns the command line of a process as one redacted line; its short name where it has none.
 * Worked out once: agents out of reach are named at every look, by the same row.
 */
export const redactProcess = ({ argv, comm }: { readonly argv: readonly string[]; readonly comm: string }): SafeText =>
  argv.length === 0 ? redactCommand(comm) : kept(redacted, argv, redactArguments);
