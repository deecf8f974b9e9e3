import { isHarmlessValue, isSecretName } from './secret-names.ts';
import { hidden, hideAddresses, hideProgramOptions, hideShapes } from './secret-shapes.ts';

/** The longest text that comes out, in UTF-16 code units. */
export const redactedLengthLimit = 8192;

/** Of a longer text only this much is looked at: hiding costs time, and what is beyond is cut off anyway. */
const examinedLengthLimit = 4 * redactedLengthLimit;

/**
 * One value as a shell would take it: pieces in double quotes, single quotes, escaped, or bare, put together. A quote that is never
 * closed reaches to the end, because texts get cut. Each alternative begins with another character, so it takes linear time.
 */
const value = String.raw`(?:"(?:[^"\\]|\\(?:[\s\S]|$))*(?:"|$)|'[^']*(?:'|$)|\\(?:[\s\S]|$)|[^\s"'\\;|&<>()\u0060])+`;

/** `NAME=value`, `--name=value`, `?name=value&`. */
const assignment = new RegExp(String.raw`(?<![\w.-])(-{0,2}([A-Za-z_][\w.-]*)=)(${value})`, 'gu');
/** `--name value`, `-name value`. The value doesn't begin like another option. */
const option = new RegExp(String.raw`(?<![\w-])(--?([A-Za-z][\w.-]*)\s+)(?!-)(${value})`, 'gu');
/** `"name": "value"`, `name: value`, as in JSON, YAML and headers. */
const field = new RegExp(String.raw`(?<![\w.-])(\\?["']?([A-Za-z_][\w.-]*)\\?["']?\s*:\s*)(${value})`, 'gu');
/** A header in quotes: its value reaches to the closing quote. */
const quotedHeader = /(["'])([A-Za-z][\w-]*)(\s*:\s*)([^"'\n]+)/gu;
/** What is named before the secret in `Authorization: Bearer …`. */
const scheme = /^(?:bearer|basic|token|digest|negotiate|apikey|key)$/iu;
const bearer = /(?<![\w-])(bearer\s+)(?!\*\*\*)[\w.~+/=-]{4,}/giu;

const hideNamed = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (match, before: string, name: string, given: string) =>
    isSecretName(name) && !isHarmlessValue(name, given) && !scheme.test(given) ? `${before}${hidden}` : match,
  );

const hideHeaders = (text: string): string =>
  text
    .replace(quotedHeader, (match, quote: string, name: string, colon: string, given: string) => {
      if (!isSecretName(name) || isHarmlessValue(name, given)) return match;
      const [first = '', ...rest] = given.split(/\s+/u);
      return `${quote}${name}${colon}${scheme.test(first) && rest.length > 0 ? `${first} ` : ''}${hidden}`;
    })
    .replace(
      /(?<![\w-])((?:proxy-)?authorization\s*[:=]\s*["']?(?:bearer|basic|token|digest|negotiate|apikey|key)\s+)[^\s"']+/giu,
      `$1${hidden}`,
    )
    .replace(bearer, `$1${hidden}`);

const hideOnce = (text: string): string => {
  const shaped = hideShapes(hideAddresses(text));
  const headed = hideHeaders(shaped);
  return hideProgramOptions([assignment, option, field].reduce(hideNamed, headed));
};

const cut = (text: string): string => {
  if (text.length <= redactedLengthLimit) return text;
  // Never in the middle of a character that takes two code units.
  const end = /[\uD800-\uDBFF]/u.test(text.charAt(redactedLengthLimit - 2))
    ? redactedLengthLimit - 2
    : redactedLengthLimit - 1;
  return `${text.slice(0, end)}…`;
};

/** Cuts a text that is too long to be examined, at the end of a word, so that no half secret is left that nothing recognises. */
const examined = (text: string): string => {
  if (text.length <= examinedLengthLimit) return text;
  const head = text.slice(0, examinedLengthLimit);
  const lastSpace = head.search(/\s\S*$/u);
  return lastSpace === -1 ? hidden : `${head.slice(0, lastSpace)} …`;
};

/**
 * A command line, or any text, without the secrets in it: tokens by their form, passwords in addresses and headers, values whose name
 * says that they are secret. Commit hashes, UUIDs and paths stay. Promises: never throws, at most `redactedLengthLimit` long, and
 * redacting again changes nothing. Errs on the side of hiding.
 */
export const redactCommand = (command: string): string => {
  let text = examined(command);
  // Each round hides something that wasn't hidden or is the last; texts made on purpose need three.
  for (let round = 0; round < 10; round += 1) {
    const next = cut(hideOnce(text));
    if (next === text) return text;
    text = next;
  }
  return hidden;
};

/**
 * The arguments of a process as one redacted line. Knows more than the text does: an argument is one value however many spaces are in
 * it, and its shell has filled in every variable already.
 */
export const redactArguments = (argv: readonly string[]): string => {
  const shown = argv.map((argument, index) => {
    const before = argv[index - 1];
    const named = before !== undefined && /^--?[A-Za-z]/u.test(before) && !before.includes('=');
    if (named && !argument.startsWith('-') && isSecretName(before) && argument !== '') return hidden;
    // What follows -c is a script: if it begins with an assignment, the rest of it is no part of the value.
    if (before !== undefined && /^-[a-z]*c[a-z]*$/u.test(before)) return argument;
    const assigned = /^(-{0,2}([A-Za-z_][\w.-]*)=)([\s\S]+)$/u.exec(argument);
    const [, start = '', name = ''] = assigned ?? [];
    return assigned !== null && isSecretName(name) && !/\s/u.test(name) ? `${start}${hidden}` : argument;
  });
  return redactCommand(shown.join(' '));
};
