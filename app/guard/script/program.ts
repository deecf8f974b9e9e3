import { programFile } from '../../paths/path.ts';
import type { SimpleCommand, Word } from './script.ts';

/** The program that a simple command finally runs, behind `nohup`, `env` and similar wrappers. */
export interface Program {
  /** Without its folder: `node`. */
  readonly name: string;
  readonly word: Word;
  readonly args: readonly Word[];
  /** True if `timeout` precedes it. */
  readonly bounded: boolean;
}

/** Option syntax of wrappers that run another program. */
interface Wrapper {
  /** Short options with a value: `u` for `env -u NAME`. */
  readonly valued: string;
  /** Assignments may stand before the program. */
  readonly assignments?: true;
  /** Short options with which it runs nothing. */
  readonly idle?: string;
  readonly bounds?: true;
}

/** env(1), nohup(1), nice(1), stdbuf(1), setsid(1), timeout(1); `command` and `exec` of bash(1). */
const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ['env', { valued: 'uC', assignments: true }],
  ['nohup', { valued: '' }],
  ['nice', { valued: 'n' }],
  ['stdbuf', { valued: 'ioe' }],
  ['setsid', { valued: '' }],
  ['command', { valued: '', idle: 'vV' }],
  ['exec', { valued: 'a' }],
  ['timeout', { valued: 'ks', bounds: true }],
  ['gtimeout', { valued: 'ks', bounds: true }],
]);

/** Returns how many words a wrapper's own options take; null if that is not certain. */
const ownWords = (words: readonly Word[], wrapper: Wrapper): number | null => {
  let count = 0;
  for (;;) {
    const value = words[count]?.value;
    if (value == null) return null;
    if (value === '--') return count + 1;
    if (value.startsWith('--')) {
      if (!value.includes('=') && value !== '--foreground' && value !== '--preserve-status') return null;
      count += 1;
    } else if (/^-\d+$/u.test(value)) count += 1;
    else if (value.startsWith('-')) {
      const letters = value.slice(1).split('');
      if (letters.length === 0 || letters.some((letter) => wrapper.idle?.includes(letter) === true)) return null;
      const at = letters.findIndex((letter) => wrapper.valued.includes(letter));
      count += at !== -1 && at === letters.length - 1 ? 2 : 1;
    } else if (wrapper.assignments === true && /^[A-Za-z_]\w*=/u.test(value)) count += 1;
    else return count;
  }
};

/** Returns what a simple command runs; null if nothing, or dependent on unknown values. */
export const programOf = (command: SimpleCommand): Program | null => {
  let words = command.words;
  let bounded = false;
  for (;;) {
    const [first, ...rest] = words;
    if (first?.value == null || first.value === '') return null;
    const name = programFile(first.value);
    const wrapper = wrappers.get(name);
    if (wrapper === undefined) return { name, word: first, args: rest, bounded };
    const own = ownWords(rest, wrapper);
    if (own === null) return null;
    bounded ||= wrapper.bounds === true;
    // The first operand is timeout's duration.
    words = rest.slice(own + (wrapper.bounds === true ? 1 : 0));
  }
};
