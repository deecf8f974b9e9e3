import { hidden } from './secret-shapes.ts';
import { isMadeUpPassword, isSecretFile, isShellVariable } from './secret-names.ts';
import { secretWords } from './secret-words.ts';
import { shellCommands, type ShellCommand, type ShellWord } from '../shell-words.ts';

interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Depth of scripts in words of scripts: `ssh host "bash -c 'mysql -pX'"` is two deep. */
const maxDepth = 4;

/** Returns the text from a unit of the word's value to the word's end. Quotes stay closed. */
const endOf = (word: ShellWord, from: number): Replacement => {
  if (from === 0) return { from: word.start, to: word.end, text: hidden };
  return { from: word.at[from] ?? word.end, to: word.end, text: `${hidden}${word.quotes[from] ?? ''}` };
};

/** Maps a replacement in the value of a word to one in the surrounding text. */
const outward = (word: ShellWord, { from, to, text }: Replacement): Replacement => {
  const open = word.quotes[from] ?? '';
  const next = to < word.value.length ? (word.quotes[to] ?? '') : '';
  // A quote inside the same quotes would end them.
  const inner = open !== '' && text.includes(open) ? hidden : text;
  return {
    from: word.at[from] ?? word.end,
    to: to < word.value.length ? (word.at[to] ?? word.end) : word.end,
    text: `${inner}${open === next ? '' : `${open}${next}`}`,
  };
};

/** Output of `echo`, `printf` and `yes`. */
const written = ({ words }: ShellCommand): readonly ShellWord[] => {
  const at = words.findIndex(({ value }) => /^(?:.*\/)?(?:echo|printf|yes)$/u.test(value));
  return at === -1 ? [] : words.slice(at + 1).filter(({ value }) => !/^(?:-[neE]+|(?:%[sbq]|\\n)+)$/u.test(value));
};

const unquoted = (text: string): string => text.trim().replaceAll(/^(["'])(.*)\1$/gsu, '$2');

/** A password, perhaps once more as a program asks for it. */
const isPasswordTwice = (text: string): boolean =>
  text.split(/\\n|\n/u).every((line, index) => isMadeUpPassword(line) || (index > 0 && line === ''));

/** True if what is written goes to a file that is named as one of secrets: `tee -a ~/.pgpass`. */
const keepsSecret = ({ words, files }: ShellCommand): boolean =>
  files.some(isSecretFile) ||
  (words.some(({ value }) => value === 'tee') && words.some(({ value }) => isSecretFile(value)));

const isHidden = (value: string): boolean => /^[*…]*$/u.test(value);

const find = (text: string, depth: number, used: Set<string>): readonly Replacement[] => {
  const found: Replacement[] = [];
  let piped: ShellWord[] = [];
  for (const command of shellCommands(text)) {
    const { words, given } = command;
    if (!command.isPiped) piped = [];
    const values = words.map(({ value }) => value);
    const read = secretWords(values);
    const input = given === null ? piped.map(({ value }) => value) : [unquoted(text.slice(given.start, given.end))];
    const stdin = read.stdin || (read.maybe && input.length > 0 && input.every(isPasswordTwice));
    const whole = new Map<ShellWord, number>();
    const hide = (word: ShellWord, from: number): void => void whole.set(word, Math.min(from, whole.get(word) ?? from));
    for (const secret of read.hidden) {
      const word = words[secret.word];
      if (word !== undefined) hide(word, secret.from);
    }
    const isKept = keepsSecret(command);
    if (stdin || isKept) for (const word of piped) hide(word, 0);
    // What has names of its own is hidden by them.
    if (isKept) for (const word of written(command)) if (!word.value.includes('=')) hide(word, 0);
    if (
      (stdin || (isKept && !text.slice(given?.start, given?.end).includes('='))) &&
      given !== null &&
      !isHidden(text.slice(given.start, given.end).trim())
    )
      found.push({ from: given.start, to: given.end, text: hidden });
    for (const [word, from] of whole) {
      const part = endOf(word, from);
      const variable = /^\$\{?([A-Za-z_]\w*)\}?$/u.exec(word.value.slice(from))?.[1];
      if (variable !== undefined) used.add(variable);
      if (!isHidden(word.value.slice(from)) && !isShellVariable(text.slice(part.from, part.to))) found.push(part);
    }
    if (depth > 0)
      for (const word of words)
        if (!whole.has(word) && /[\s;|&(]/u.test(word.value))
          for (const inner of find(word.value, depth - 1, used)) found.push(outward(word, inner));
    // Already hidden where this command takes a secret.
    if (stdin) piped = [];
    piped.push(...written(command));
  }
  return found;
};

/**
 * Hides secrets that only the receiving program makes secret, in every command of a text, including
 * scripts in quotes and input piped into a program that takes a secret there. Linear time;
 * idempotent. Adds the variables that hold such a secret to `used`.
 */
export const hideArguments = (text: string, used = new Set<string>()): string => {
  const found = find(text, maxDepth, used).toSorted((a, b) => a.from - b.from || b.to - a.to);
  let shown = '';
  let at = 0;
  for (const { from, to, text: instead } of found) {
    if (from < at) continue;
    shown += `${text.slice(at, from)}${instead}`;
    at = to;
  }
  return shown + text.slice(at);
};

/** The same for a process's arguments. Each is already one word; a script in one is parsed too. */
export const hideInArguments = (argv: readonly string[]): readonly string[] => {
  const first = new Map<number, number>();
  for (const { word, from } of secretWords(argv).hidden) first.set(word, Math.min(from, first.get(word) ?? from));
  return argv.map((argument, index) => {
    const from = first.get(index);
    if (from !== undefined) return isHidden(argument.slice(from)) ? argument : `${argument.slice(0, from)}${hidden}`;
    return /\s/u.test(argument) ? hideArguments(argument) : argument;
  });
};
