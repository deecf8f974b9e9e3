import type { Said } from '../format/said.ts';
import { failedParts, type ReaderCheck, type ReaderPart, type Trust } from '../process/reader-check.ts';
import { type Form, joined, listed, say } from './say.ts';

const words = {
  start: 'a program that Curfew starts',
  table: 'the table of processes',
  parent: 'the parent of a process',
  groups: 'the process group of a process',
  name: 'the name of a program',
  launched: 'what the system itself has started',
  terminal: 'the terminal of a process',
  connections: 'both ends of a connection',
  identity: 'the identity of a process',
  arguments: 'the arguments of a process',
  environment: 'the environment of a process',
  files: 'open files and folders',
  channels: 'both ends of a pipe',
  signal: 'a signal that reaches its process',
  'wrong-signal': 'a signal that must not reach another process',
} as const satisfies Readonly<Record<ReaderPart, Form>>;

/** Names the failed parts of a check, as a list; null where none failed. */
export const sayFailedParts = (check: ReaderCheck): Said | null => {
  const failed = failedParts(check).map(({ part }) => say(words[part]));
  return failed.length === 0 ? null : listed(failed, ', ');
};

/** Says why nothing is ended automatically after a failed self-check, in whole sentences. */
export const sayUnproved = (check: ReaderCheck, fallback: string | null): Said =>
  joined(
    say('The self-check of {reader} failed: {failed}.', {
      reader: check.reader,
      failed: sayFailedParts(check) ?? say('it could not be made'),
    }),
    fallback === null
      ? say('It ends nothing automatically; what you end by hand is still checked.')
      : say('Curfew reads processes through {reader} instead, only reports, and ends nothing.', { reader: fallback }),
    say('Please report what `curfew doctor --json` says.'),
  );

/** Says the same of an opened machine; null where nothing speaks against it. */
export const sayUnprovedOf = ({ checks, fallback, unproved }: Trust): Said | null => {
  const last = checks.at(-1);
  return unproved === null || last === undefined ? unproved : sayUnproved(last, fallback ?? null);
};
