import { argumentsOf, hasOption } from './arguments.ts';
import type { GuardCall } from './guard-call.ts';
import type { Program } from './program.ts';

/** Search of `pgrep` or `pkill`. */
export interface ProcessPattern {
  readonly pattern: string;
  /** True for whole command lines (`-f`), not only names. */
  readonly inCommandLines: boolean;
  readonly ignoresCase: boolean;
}

/** Options that narrow pgrep(1): parents, groups, sessions, terminals, ages, pid files. */
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

/** Only literal text, `.`, `.*`, `|`: agents quote scripts again; other patterns aren't judged. */
const plain = /^(?:[\w /:=@%,~#"<>;&!-]|\.\*?|\|)+$/u;
const maxPatternLength = 200;

/** Returns the pattern of `pgrep` or `pkill`; null if none, narrowed, or uncertain. */
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

/** Returns where a piece (`.` matches any character) begins in a line; -1: nowhere. */
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

/** One alternative: its pieces in order, each as early as possible. */
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
 * True if a pattern matches somewhere in a text. Only for patterns of `processPattern`, which hold
 * literal text, `.`, `.*` and `|` only. Avoids regular expressions: three `.*` would take the
 * fourth power of the length.
 */
export const patternFits = ({ pattern, ignoresCase }: ProcessPattern, text: string): boolean => {
  const folded = (given: string): string => (ignoresCase ? given.toLowerCase() : given);
  const choices = folded(pattern).split('|');
  return folded(text.slice(0, 4096))
    .split(/[\n\r\u2028\u2029]/u)
    .some((line) => choices.some((choice) => choiceFits(choice, line)));
};

/**
 * True if `pgrep -f` and `pkill -f` with this pattern match the shell that runs them. Agents run
 * commands as `bash -c "…"` (seen of all but Cursor, which may feed them to a shell). On Linux only
 * the program itself is excluded; elsewhere its ancestors are too (pgrep(1) of FreeBSD and macOS,
 * `-a`). A pattern whose source differs from its value (`a\\ b`) does not occur in the shell's
 * text.
 */
export const findsOwnShell = (pattern: ProcessPattern, { shell, platform, script }: GuardCall): boolean =>
  platform === 'linux' && shell.commandInArguments && patternFits(pattern, script.source);
