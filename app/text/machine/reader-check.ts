import { failedParts, type ReaderCheck, type ReaderPart } from '../../process/reader-check.ts';

const words: Readonly<Record<ReaderPart, string>> = {
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
};

/** Names the failed parts of a check, as a list; null where none failed. */
export const sayFailedParts = (check: ReaderCheck): string | null => {
  const failed = failedParts(check).map(({ part }) => words[part]);
  return failed.length === 0 ? null : failed.join(', ');
};

/** Says why nothing is ended automatically after a failed self-check, in whole sentences. */
export const sayUnproved = (check: ReaderCheck, fallback: string | null): string =>
  `The self-check of ${check.reader} failed: ${sayFailedParts(check) ?? 'it could not be made'}. ` +
  (fallback === null ? '' : `Curfew reads processes through ${fallback} instead. `) +
  'It ends nothing automatically; what you end by hand is still checked. ' +
  'Please report what `curfew doctor --json` says.';
