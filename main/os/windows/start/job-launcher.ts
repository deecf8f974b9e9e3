import { setTimeout as sleep } from 'node:timers/promises';
import { win32 } from 'node:path';
import { asPid } from '../../../../app/process/identity.ts';
import type { CommandLauncher, CommandListener, CommandOrder, CommandStart } from '../../programs/command-launcher.ts';
import type { Handle } from '../kernel/kernel.ts';
import { batchLineOf, commandLineOf } from '../../programs/command-text.ts';
import { findExecutable, type Surroundings } from './find-executable.ts';
import type { JobObject } from './job-object.ts';
import { systemError, type StartKernel } from './start-kernel.ts';

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
