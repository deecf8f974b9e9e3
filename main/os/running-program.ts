import { codeOf } from '../../app/format/error-message.ts';
import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ProcessRow } from '../../app/process/row.ts';
import type { Said } from '../../app/format/said.ts';
import { say } from '../../app/text/say.ts';
import { heldIn } from './files/held-readers.ts';
import { environBytes, markerNames, markersIn } from './processes/environ.ts';

/** The program that a process runs, held open: nothing else can take its place. */
export interface RunningProgram {
  /** Starts the same program again: its file, and its script where that is an interpreter. */
  readonly command: readonly [string, ...string[]];
  /** Of the requested variables those that the process was started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gives the file up. Not before the command has begun. */
  readonly close: () => void;
}

export interface NoProgram {
  readonly why: Said;
}

/** Programs that run another file: what they are says nothing of it. */
const interpreter =
  /^(?:node|nodejs|bun|deno|electron|python[\d.]*|perl[\d.]*|ruby[\d.]*|(?:ba|da|z|k|mk|a)?sh|busybox)(?: \(deleted\))?$/u;

const writableByOthers = 0o022;

/** True for a script that only its user or root can change. */
const isOwnScript = (path: string): boolean => {
  const status = statSync(path);
  return (
    status.isFile() &&
    (status.uid === process.geteuid?.() || status.uid === 0) &&
    (status.mode & writableByOthers) === 0
  );
};

const namespaces = ['mnt', 'pid', 'user'] as const;

const isIn = (pid: number, names: readonly (typeof namespaces)[number][]): boolean =>
  names.every((name) => readlinkSync(`/proc/${pid}/ns/${name}`) === readlinkSync(`/proc/self/ns/${name}`));

/** How a process is confined: proc_pid_status(5). Every sandbox without root needs the first. */
const confinementOf = (pid: number | 'self') => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const valueOf = (name: string): number =>
    Number(new RegExp(String.raw`^${name}:\t(\d)$`, 'mu').exec(status)?.[1] ?? Number.NaN);
  return { noNewPrivs: valueOf('NoNewPrivs'), seccomp: valueOf('Seccomp') };
};

/**
 * Whether a process is confined no more than this one. What a process runs, or names, is run only
 * then: Curfew would carry it out of its sandbox or container. Linux only; false where it can't be
 * told, as of one that can gain no rights where this one can't either: what Landlock keeps from it
 * shows nowhere.
 * @param others namespaces of its own that it may have: rootless engines have some
 */
export const isAsFree = ({ pid }: Pick<ProcessRow, 'pid'>, others: readonly ('mnt' | 'user')[] = []): boolean => {
  try {
    const own = confinementOf('self');
    const isLoose = own.noNewPrivs === 0 && own.seccomp === 0;
    const shared = namespaces.filter((name) => !isLoose || !others.some((other) => other === name));
    const { noNewPrivs, seccomp } = confinementOf(pid);
    return isIn(pid, shared) && noNewPrivs === 0 && seccomp <= own.seccomp;
  } catch {
    // It has ended, is another user's, or this is no Linux.
    return false;
  }
};

const environmentOf = (pid: number, names: Iterable<string>): Readonly<Record<string, string>> | null => {
  const bytes = readFileSync(`/proc/${pid}/environ`);
  return bytes.length === 0
    ? null
    : markersIn(bytes, 0, bytes.length, markerNames(names), bytes.length >= environBytes);
};

const scriptOf = ({ argv }: ProcessRow): string | null => {
  const [, script = ''] = argv;
  return script.startsWith('/') && isOwnScript(script) ? script : null;
};

const programOf = (row: ProcessRow, fd: number, names: Iterable<string>): Omit<RunningProgram, 'close'> | NoProgram => {
  if (!isAsFree(row)) return { why: say('it runs in a container') };
  if (!fstatSync(fd).isFile()) return { why: say('its program is no file') };
  const environment = environmentOf(row.pid, names);
  if (environment === null) return { why: say('its environment is not known') };
  // Through this very descriptor: the pid may be another's by then.
  const file = `/proc/${process.pid}/fd/${fd}`;
  if (!interpreter.test(basename(readlinkSync(`/proc/${row.pid}/exe`)))) return { command: [file], environment };
  const script = scriptOf(row);
  return script === null
    ? { why: say('the script that it runs is not known') }
    : { command: [file, script], environment };
};

/**
 * Returns the very program that a process of this user runs, also where an update replaced its
 * file, with some of its environment. Linux only.
 * @param names variables to read; the others are not looked at
 * @param isSame whether the process still is the one of this row; asked once all is read
 */
export const holdProgram = (
  row: ProcessRow,
  names: Iterable<string>,
  isSame: () => boolean,
): RunningProgram | NoProgram => {
  if (process.platform !== 'linux') return { why: say('its program can only be told on Linux') };
  if (row.uid !== process.geteuid?.()) return { why: say('it is another user’s') };
  if (heldIn(row.pid) !== null) return { why: say('it runs in a container') };
  try {
    const fd = openSync(`/proc/${row.pid}/exe`, constants.O_RDONLY);
    const close = (): void => closeSync(fd);
    let found: ReturnType<typeof programOf> = { why: say('it has ended') };
    try {
      const program = programOf(row, fd, names);
      if (isSame()) found = program;
    } finally {
      if ('why' in found) close();
    }
    return 'why' in found ? found : { ...found, close };
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    return { why: say('its program can’t be read ({code})', { code }) };
  }
};
