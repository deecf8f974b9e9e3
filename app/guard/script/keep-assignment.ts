import { parseScript } from './parse-script.ts';
import { programOf } from './program.ts';
import type { Command, List, Pipeline, SimpleCommand, Word } from './script.ts';

/** The variable that marks a process as meant to stay. */
export const keepName = 'CURFEW_KEEP';

/** What the text of a command says about the environment of its processes. */
export interface KeepInCommand {
  /** It gives, or may give, `CURFEW_KEEP=1`: all that is not certainly harmless counts. */
  readonly assigns: boolean;
  /**
   * Programs that it runs by a name without a folder and whose variables the text alone determines;
   * null if a file, a substitution or unreadable text may add some.
   */
  readonly programs: ReadonlySet<string> | null;
}

/** Programs that only read or print text. Any other program may use the name in unknown ways. */
const textPrograms = new Set(['echo', 'printf', 'grep', 'egrep', 'fgrep', 'rg', 'cat', 'head', 'tail', 'wc', 'sort']);
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
const declarations = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
/** Builtins whose variables or commands are not in the text. bash(1) */
const bringers = new Set(['.', 'source', 'read', 'mapfile', 'readarray', 'getopts', 'alias', 'trap', 'fc', 'set']);

const maxDepth = 8;

const mentions = (text: string | null): boolean => text?.includes(keepName) === true;

const countIn = (text: string): number => text.split(keepName).length - 1;

/** An assignment of a value other than 1: `CURFEW_KEEP=0`, `CURFEW_KEEP=`. */
const isHarmlessAssignment = ({ text, value }: Word): boolean =>
  value !== null && value.startsWith(`${keepName}=`) && value !== `${keepName}=1` && countIn(text) === 1;

const assignedName = /^[A-Za-z_]\w*\+?=/u;

/** Returns the script of `-c` or `eval`, and its words; null if none, or not certain. */
const innerText = (
  name: string,
  args: readonly Word[],
): { readonly text: string; readonly words: readonly Word[] } | null => {
  if (name === 'eval') {
    const values = args.map(({ value }) => value);
    return values.length > 0 && values.every((value) => value !== null)
      ? { text: values.join(' '), words: args }
      : null;
  }
  if (!shells.has(name)) return null;
  const at = args.findIndex(({ value }) => value === null || !/^-[a-zA-Z]+$|^--[a-z-]+$/u.test(value));
  const flags = args.slice(0, Math.max(0, at)).map(({ value }) => value ?? '');
  const word = args[at];
  const runsText = flags.some((flag) => /^-[a-zA-Z]*c[a-zA-Z]*$/u.test(flag));
  return runsText && word?.value != null ? { text: word.value, words: [word] } : null;
};

/** Collects what a command says, part by part. */
class Reading {
  /** Mentions of the name that certainly assign nothing. */
  harmless = 0;
  assigns = false;
  certain = true;
  readonly programs = new Set<string>();
  readonly #depth: number;

  constructor(depth: number) {
    this.#depth = depth;
  }

  list(list: List, substituted: boolean): void {
    for (const { pipelines } of list.statements) for (const one of pipelines) this.#pipeline(one, substituted);
  }

  #pipeline({ commands }: Pipeline, substituted: boolean): void {
    const printsOnly =
      !substituted &&
      commands.every(
        (command) =>
          command.kind === 'simple' &&
          command.redirections.every(({ kind, descriptor }) => kind !== 'output' || descriptor === 2) &&
          textPrograms.has(programOf(command)?.name ?? ''),
      );
    for (const command of commands) this.#command(command, printsOnly, substituted);
  }

  #command(command: Command, printsOnly: boolean, substituted: boolean): void {
    switch (command.kind) {
      case 'simple':
        this.#simple(command, printsOnly);
        return;
      case 'group':
        this.list(command.body, substituted);
        return;
      case 'loop':
        if (command.condition !== null) this.list(command.condition, substituted);
        this.list(command.body, substituted);
        return;
      case 'choice':
        for (const one of command.lists) this.list(one, substituted);
        return;
      case 'test':
        return;
      case 'function':
      case 'other':
        this.certain = false;
    }
  }

  #simple(command: SimpleCommand, printsOnly: boolean): void {
    for (const word of command.assignments) {
      if (isHarmlessAssignment(word)) this.harmless += 1;
      if (!assignedName.test(word.text)) this.certain = false;
    }
    for (const list of command.words.flatMap(({ substitutions }) => substitutions)) this.list(list, true);
    const [first, ...rest] = command.words;
    if (first === undefined) return;
    const name = first.value;
    if (name !== null && declarations.has(name)) {
      this.#declaration(rest);
      return;
    }
    if (name === 'unset') {
      for (const word of rest) if (word.value === keepName && word.text === keepName) this.harmless += 1;
      return;
    }
    if (name !== null && bringers.has(name)) this.certain = false;
    const program = programOf(command);
    if (program === null) {
      this.certain = false;
      return;
    }
    this.programs.add(program.name);
    // The words before the program belong to its wrapper: `env CURFEW_KEEP=0`, `env -u
    // CURFEW_KEEP`.
    const own = command.words.slice(0, command.words.indexOf(program.word));
    own.forEach((word, index) => {
      const isUnset = word.value === keepName && word.text === keepName && own[index - 1]?.value === '-u';
      if (isHarmlessAssignment(word) || isUnset) this.harmless += 1;
    });
    const inner = innerText(program.name, program.args);
    if (inner !== null) this.#inner(inner.text, inner.words);
    else if (program.name === 'eval' || (shells.has(program.name) && program.args.length === 0)) this.certain = false;
    else if (printsOnly) this.#printed(program.args);
  }

  /** A word of unknown value may hold a command that is run for it. */
  #printed(words: readonly Word[]): void {
    for (const { text, value } of words) if (value !== null) this.harmless += countIn(text);
  }

  #declaration(words: readonly Word[]): void {
    for (const word of words) {
      if (isHarmlessAssignment(word)) this.harmless += 1;
      else if (word.value === null && !assignedName.test(word.text)) this.certain = false;
    }
  }

  #inner(text: string, words: readonly Word[]): void {
    const inside = this.#depth >= maxDepth ? { assigns: mentions(text), programs: null } : read(text, this.#depth + 1);
    if (inside.assigns) this.assigns = true;
    else this.#printed(words);
    if (inside.programs === null) this.certain = false;
    else for (const name of inside.programs) this.programs.add(name);
  }
}

const read = (text: string, depth: number): KeepInCommand => {
  const script = parseScript(text);
  if (script === null) return { assigns: mentions(text), programs: null };
  const reading = new Reading(depth);
  reading.list(script.list, false);
  return {
    assigns: reading.assigns || reading.harmless < countIn(text),
    programs: reading.certain ? reading.programs : null,
  };
};

/** Cached because every scan asks for the same jobs; the longest texts take the parser 0.1 s. */
const recent = new Map<string, KeepInCommand>();
const maxRecent = 64;

/**
 * Returns what a command's text says about `CURFEW_KEEP`, with the parser of the guard. A mention
 * counts as an assignment unless it certainly is none: a value other than 1, `unset`, or words of
 * programs that only print text to the terminal.
 */
export const keepInCommand = (text: string): KeepInCommand => {
  let known = recent.get(text);
  if (known === undefined) {
    if (recent.size >= maxRecent) recent.clear();
    known = read(text, 0);
    recent.set(text, known);
  }
  return known;
};

/** The same for a split command line. True if a process gets, or may get, `CURFEW_KEEP=1`. */
export const argumentsKeep = (argv: readonly string[]): boolean => {
  if (!argv.some(mentions)) return false;
  // Quoted again, so that the same parser applies; an argument can't hold a NUL.
  return keepInCommand(argv.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')).assigns;
};
