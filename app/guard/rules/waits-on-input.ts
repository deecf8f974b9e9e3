import { type OptionForm, argumentsOf, hasOption } from '../script/arguments.ts';
import type { GuardCall, Rule } from '../script/guard-call.ts';
import type { Place } from '../script/places.ts';
import { type Program, programOf } from '../script/program.ts';

interface Reader extends OptionForm {
  /** Number of leading operands that are not files (grep's pattern, jq's filter). */
  readonly notFiles: number;
  /** With one of these options its input is something else, or unknown. */
  readonly unless?: readonly string[];
}

/** Programs that read standard input without file operands: POSIX, manuals of GNU and jq. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['cat', { valued: '', notFiles: 0 }],
  ['tac', { valued: 's', notFiles: 0 }],
  ['wc', { valued: '', notFiles: 0, unless: ['--files0-from'] }],
  ['sort', { valued: 'ktoST', notFiles: 0, unless: ['--files0-from'] }],
  ['uniq', { valued: 'fsw', notFiles: 0 }],
  ['head', { valued: 'nc', notFiles: 0 }],
  ['tail', { valued: 'nc', notFiles: 0 }],
  ['cut', { valued: 'dfbc', notFiles: 0 }],
  ['tr', { valued: '', notFiles: 2 }],
  ['base64', { valued: 'w', notFiles: 0 }],
  ['grep', { valued: 'eefmABCdD', notFiles: 1, unless: ['e', 'f', 'r', 'R', '--recursive', '--regexp', '--file'] }],
  ['egrep', { valued: 'efmABC', notFiles: 1, unless: ['e', 'f', 'r', 'R', '--recursive'] }],
  [
    'jq',
    {
      valued: 'L',
      notFiles: 1,
      unless: ['n', '--null-input', 'f', '--from-file', '--arg', '--argjson', '--args', '--jsonargs'],
    },
  ],
  ['xargs', { valued: 'adEIiLnPs', notFiles: Number.POSITIVE_INFINITY, unless: ['a', '--arg-file'] }],
  ['python', { valued: 'cmWX', notFiles: 0, unless: ['c', 'm', 'V', 'h'] }],
  ['python3', { valued: 'cmWX', notFiles: 0, unless: ['c', 'm', 'V', 'h'] }],
]);

const isHelp = (names: ReadonlySet<string>): boolean => names.has('--help') || names.has('--version');

const readsInput = ({ name, args }: Program): boolean => {
  const reader = readers.get(name);
  if (reader === undefined) return false;
  const given = argumentsOf(args, reader);
  if (given === null || isHelp(given.options) || hasOption(given, ...(reader.unless ?? []))) return false;
  const files = given.operands.slice(Math.min(reader.notFiles, given.operands.length));
  // A filter without its pattern prints its usage and ends.
  if (Number.isFinite(reader.notFiles) && given.operands.length < reader.notFiles) return false;
  return files.every(({ value }) => value === '-');
};

/** `read` without a time limit, from standard input. */
const asksPerson = ({ name, args }: Program): boolean => {
  if (name !== 'read') return false;
  const given = argumentsOf(args, { valued: 'adinNptu' });
  return given !== null && !hasOption(given, 't', 'u');
};

/** Whether what reads standard input waits there, or may wait. */
const inputIsOpen = ({ shell, script, places }: GuardCall): boolean => {
  switch (shell.standardInput) {
    case 'empty':
      return false;
    case 'unknown':
      return true;
    case 'empty-unless-redirected':
      return (
        script.heredoc ||
        places.some(({ command }) =>
          command.redirections.some(({ kind, descriptor }) => kind === 'input' && descriptor === 0),
        )
      );
  }
};

/** Programs that a user or an agent may want to type into. */
const isTalkedTo = ({ name }: Program, { shell }: GuardCall): boolean =>
  shell.takesTyping && /^(?:cat|read|python[\d.]*)$/u.test(name);

/** The script may have redirected standard input: `exec < file`. */
const isRedirectedAsAWhole = (places: readonly Place[]): boolean =>
  places.some(
    ({ command }) =>
      command.words.length <= 1 && (command.words[0]?.value ?? 'exec') === 'exec' && command.redirections.length > 0,
  );

/** Finds a program that reads standard input, where nothing arrives, and waits forever. */
export const waitsOnInput: Rule = (call) => {
  if (!inputIsOpen(call) || isRedirectedAsAWhole(call.places)) return null;
  for (const place of call.places) {
    // The shell gives a job of `&` /dev/null: bash(1), "Simple Commands".
    if (place.fed || place.substituted || place.ampersand || place.conditional) continue;
    const program = programOf(place.command);
    if (program === null || program.bounded || call.functions.has(program.name)) continue;
    if ((!readsInput(program) && !asksPerson(program)) || isTalkedTo(program, call)) continue;
    return {
      sentence: `\`${program.name}\` has nothing to read and waits for standard input, which stays empty: name a file, pipe something into it, or add \`< /dev/null\`.`,
      bounds: [],
    };
  }
  return null;
};
