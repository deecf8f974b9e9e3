import { argumentsOf, hasOption } from './arguments.ts';
import type { GuardCall } from './guard-call.ts';
import type { Program } from './program.ts';

/** What `pgrep` or `pkill` looks for. */
export interface ProcessPattern {
  readonly pattern: string;
  /** In whole command lines (`-f`), not only in names. */
  readonly inCommandLines: boolean;
  readonly ignoresCase: boolean;
}

/** Options that narrow down who is meant: parents, groups, sessions, terminals, ages, files of pids. pgrep(1) */
const narrowing = [
  'P',
  'g',
  'G',
  's',
  't',
  'x',
  'n',
  'o',
  'v',
  'F',
  'L',
  'r',
  'A',
  'O',
  'c',
  'u',
  'U',
  'H',
  'e',
  'q',
] as const;
const valued = 'PgGstFrOuUdw';
const longNarrowing = /^--(?!full$|signal|ignore-case$|list-name$|list-full$|delimiter)/u;

/** Only literal text, `.`, `.*` and `|`: what else a pattern may hold is not judged, and text in single quotes is quoted once more by agents. */
const plain = /^(?:[\w /:=@%,~#"<>;&!-]|\.\*?|\|)+$/u;
const maxPatternLength = 200;

/** The pattern of a `pgrep` or `pkill`; null when it has none, when it is narrowed down, or when what it fits isn't certain. */
export const processPattern = ({ args }: Program): ProcessPattern | null => {
  // A signal: -9, -KILL, -SIGTERM.
  const words = args.filter(({ value }) => value === null || !/^-(?:\d+|SIG[A-Z0-9]+|[A-Z]{3,})$/u.test(value));
  const given = argumentsOf(words, { valued, longValued: ['--signal', '--delimiter'] });
  const [operand, ...others] = given?.operands ?? [];
  if (given === null || operand?.value == null || others.length > 0) return null;
  if (hasOption(given, ...narrowing) || [...given.options].some((name) => longNarrowing.test(name))) return null;
  const pattern = operand.value;
  const dots = pattern.split('.*').length - 1;
  if (
    pattern.length > maxPatternLength ||
    dots > 3 ||
    !plain.test(pattern) ||
    pattern.split('|').some((part) => part === '')
  )
    return null;
  return {
    pattern,
    inCommandLines: hasOption(given, 'f', '--full'),
    ignoresCase: hasOption(given, 'i', '--ignore-case'),
  };
};

/** Where a piece, in which `.` stands for any character, begins in a line; -1: nowhere. */
const placeOf = (piece: string, line: string, from: number): number => {
  const first = piece.search(/[^.]/u);
  if (first === -1) return line.length - from >= piece.length ? from : -1;
  for (let at = from; at + piece.length <= line.length; at += 1) {
    const found = line.indexOf(piece.charAt(first), at + first);
    if (found === -1) return -1;
    at = found - first;
    if (at + piece.length > line.length) return -1;
    let same = first;
    while (same < piece.length && (piece.charAt(same) === '.' || piece.charAt(same) === line.charAt(at + same)))
      same += 1;
    if (same === piece.length) return at;
  }
  return -1;
};

/** One choice: its pieces one after the other, each as early as it can be. */
const choiceFits = (choice: string, line: string): boolean => {
  let from = 0;
  for (const piece of choice.split('.*')) {
    const at = placeOf(piece, line, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return true;
};

/**
 * Whether a pattern fits somewhere in a text. Only for patterns that `processPattern` gave, which have nothing but literal
 * text, `.`, `.*` and `|`. Without a regular expression: with three `.*` it would take the fourth power of the length.
 */
export const patternFits = ({ pattern, ignoresCase }: ProcessPattern, text: string): boolean => {
  const folded = (given: string): string => (ignoresCase ? given.toLowerCase() : given);
  const choices = folded(pattern).split('|');
  return folded(text.slice(0, 4096))
    .split(/[\n\r\u2028\u2029]/u)
    .some((line) => choices.some((choice) => choiceFits(choice, line)));
};

/**
 * Whether `pgrep -f` and `pkill -f` with this pattern find the shell that runs them by its own text. It does where the command
 * is an argument of the shell, and on Linux only the program itself is left out; elsewhere so are its ancestors (pgrep(1) of
 * FreeBSD and macOS, `-a`). A pattern that is written in another way than it reads (`a\\ b`) doesn't stand there.
 */
export const findsOwnShell = (pattern: ProcessPattern, { shell, platform, script }: GuardCall): boolean =>
  platform === 'linux' && shell.commandInArguments && patternFits(pattern, script.source);
