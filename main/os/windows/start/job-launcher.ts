import { win32 } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asPid } from '../../../../app/process/identity.ts';
import type { CommandLauncher, CommandListener, CommandOrder, CommandStart } from '../../programs/command-launcher.ts';
import { batchLineOf, commandLineOf } from '../../programs/command-text.ts';
import type { Handle } from '../kernel/kernel.ts';
import type { JobObject } from './job-object.ts';
import { type StartKernel, systemError } from './start-kernel.ts';

/** What CreateProcess can start by itself, and what cmd.exe has to run. */
export type Executable =
  | { readonly kind: 'program'; readonly file: string }
  | { readonly kind: 'batch'; readonly file: string }
  | { readonly kind: 'none'; readonly errno: 'ENOENT' | 'EACCES' };

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly isFile: (path: string) => boolean;
}

const programs: ReadonlySet<string> = new Set(['.com', '.exe']);
const batches: ReadonlySet<string> = new Set(['.bat', '.cmd']);

/** Endings in the order in which cmd.exe tries them, where PATHEXT says no other. */
const usualEndings = '.COM;.EXE;.BAT;.CMD';

/** Windows ignores case in names; tests don't run there. */
const valueOf = ({ environment }: Surroundings, name: string): string =>
  environment[name] ??
  Object.entries(environment).find(([other]) => other.toUpperCase() === name.toUpperCase())?.[1] ??
  '';

const endingsIn = (around: Surroundings): readonly string[] =>
  (valueOf(around, 'PATHEXT') || usualEndings)
    .split(';')
    .map((ending) => ending.trim().toLowerCase())
    .filter((ending) => programs.has(ending) || batches.has(ending));

const executableAt = (file: string): Executable => {
  const ending = win32.extname(file).toLowerCase();
  if (programs.has(ending)) return { kind: 'program', file };
  return batches.has(ending) ? { kind: 'batch', file } : { kind: 'none', errno: 'EACCES' };
};

/**
 * Returns the file that a shell of Windows would start for a name: in the folders of PATH, with the
 * endings of PATHEXT that can be started (`npm` is npm.cmd). The current folder is searched only
 * for a name with a path, as PowerShell does: a file that lies about must not take the place of a
 * program. EACCES: there is a file, which is no program (a script of PowerShell).
 */
export const findExecutable = (name: string, around: Surroundings): Executable => {
  if (name === '') return { kind: 'none', errno: 'ENOENT' };
  const hasPath = /[\\/:]/u.test(name);
  const folders = hasPath ? [around.folder] : valueOf(around, 'PATH').split(';');
  const endings = endingsIn(around);
  const names = [...(win32.extname(name) === '' ? [] : [name]), ...endings.map((ending) => `${name}${ending}`)];
  let refused = false;
  for (const quotedFolder of folders) {
    const folder = quotedFolder.replaceAll('"', '').trim();
    // A relative folder of PATH depends on where one stands; Windows' own shells skip none of them,
    // and an absolute one is always meant.
    if (folder === '' || !win32.isAbsolute(folder)) continue;
    for (const one of names) {
      const file = win32.resolve(folder, one);
      if (!around.isFile(file)) continue;
      const found = executableAt(file);
      if (found.kind !== 'none') return found;
      refused = true;
    }
    refused ||= around.isFile(win32.resolve(folder, name));
  }
  return { kind: 'none', errno: refused ? 'EACCES' : 'ENOENT' };
};

/** One wait, milliseconds: a longer one would hold up the end of this process. */
const waitMs = 2_000;

/** Pause after a wait that failed, milliseconds. */
const failedWaitMs = 500;

const errnoOf: ReadonlyMap<number, string> = new Map([
  [systemError.fileNotFound, 'ENOENT'],
  [systemError.pathNotFound, 'ENOENT'],
  [systemError.directory, 'ENOENT'],
  [systemError.badFormat, 'ENOEXEC'],
  [systemError.accessDenied, 'EACCES'],
  [systemError.elevationRequired, 'EPERM: it needs the rights of an administrator'],
]);

export interface JobLauncherOptions {
  readonly kernel: StartKernel;
  readonly job: JobObject;
  readonly around: Surroundings;
  /** Runs something with these variables in this process' own environment. */
  readonly withVariables: <Result>(variables: Readonly<Record<string, string>>, work: () => Result) => Result;
}

/** Runs something with these variables in this process' own environment, and takes them away. */
export const withOwnVariables = <Result>(variables: Readonly<Record<string, string>>, work: () => Result): Result => {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return work();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
};

/**
 * Starts commands with CreateProcess, each born in the job of its run, with exactly three handles
 * of ours. On a terminal it shares our console, so that the keys reach it once, from the console;
 * else it has one of its own, without a window, by which all of the run can be asked to end.
 */
export class JobLauncher implements CommandLauncher {
  readonly mechanism = 'job object';
  /** Windows never changes a parent's id: orphans are found by the job. */
  readonly subreaper = false;
  readonly groups = false;
  readonly #options: JobLauncherOptions;

  constructor(options: JobLauncherOptions) {
    this.#options = options;
  }

  start(order: CommandOrder, listener: CommandListener): CommandStart {
    const { kernel, job, around, withVariables } = this.#options;
    const [name, ...args] = order.command;
    const found = findExecutable(name, around);
    if (found.kind === 'none') return { ok: false, errno: found.errno };
    const line = found.kind === 'batch' ? batchLineOf(found.file, args) : commandLineOf(order.command);
    if (line === null) return { ok: false, errno: 'EINVAL: a batch file can not be given such arguments' };
    const file = found.kind === 'batch' ? shellIn(around) : found.file;
    const standard = order.stdio.map((descriptor) => kernel.inheritable(descriptor));
    try {
      const [input = null, output = null, error = null] = standard;
      if (input === null || output === null || error === null) return { ok: false, errno: 'EBADF' };
      const ownConsole = order.placement === 'session';
      // Without an environment block Windows hands on ours, unlisted variables of drives included.
      const start = withVariables(order.environment, () =>
        kernel.create({
          file,
          commandLine: line,
          job: job.handle,
          standard: [input, output, error],
          ownConsole,
        }),
      );
      if (!start.ok) return { ok: false, errno: errnoOf.get(start.error) ?? `error ${start.error} of Windows` };
      void this.#watch(start.process, listener);
      return { ok: true, pid: asPid(start.pid) };
    } finally {
      for (const handle of standard) if (handle !== null) kernel.close(handle);
    }
  }

  /** The kernel counts who lives in the job, which proves that none is left. */
  waitForChildren(): 'some' | 'none' | 'unknown' {
    const active = this.#options.job.active();
    if (active === null) return 'unknown';
    return active === 0 ? 'none' : 'some';
  }

  killGroup(): boolean {
    return false;
  }

  async #watch(process: Handle, listener: CommandListener): Promise<void> {
    const { kernel } = this.#options;
    for (;;) {
      const found = await kernel.ended(process, waitMs);
      if (found === 'ended') break;
      // A wait that fails proves no end.
      if (found === 'unknown') await sleep(failedWaitMs);
    }
    const code = kernel.exitStatus(process);
    kernel.close(process);
    listener.onEnd({ kind: 'exited', code: code ?? unknownStatus });
  }
}

/** The status of a command whose own can't be told. */
const unknownStatus = 1;

/** The shell of the system's folder: ComSpec may name any program. */
const shellIn = ({ environment }: Surroundings): string =>
  win32.join(environment['SystemRoot'] ?? environment['SYSTEMROOT'] ?? String.raw`C:\Windows`, 'System32', 'cmd.exe');
