import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';
import { compiledOnce, curfewFile } from '../scene/curfew.ts';
import { readableNode, readableRoot } from '../machine-facts.ts';
import { StageError } from '../scene/stage-error.ts';

/** Result of a process. `code` is 128 + n after signal n. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running process. */
export interface Going {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdout: () => string;
  readonly ended: Promise<Ended>;
}

/** How a process is started. */
export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The tested command line; the built one by default. */
  readonly file?: string;
  /** As this user. */
  readonly uid?: number;
  readonly stdio?: StdioOptions;
  readonly cwd?: string;
}

/** A home for one test; removed by `done`. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'curfew-run-'));
  readonly runs = join(this.path, 'curfew/runs');

  env(): Record<string, string> {
    return {
      ...compiledOnce,
      PATH: process.env['PATH'] ?? '',
      HOME: this.path,
      CURFEW_HOME: join(this.path, 'curfew'),
      LANG: 'C.UTF-8',
    };
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Starts any program. */
  start(program: string, args: readonly string[], options: StartOptions = {}): Going {
    const child = spawn(program, [...args], {
      env: { ...this.env(), ...options.env },
      stdio: options.stdio ?? ['ignore', 'pipe', 'pipe'],
      cwd: options.cwd ?? this.path,
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('latin1').on('data', (text: string) => (stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) =>
        resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), stdout, stderr }),
      );
    });
    return { child, pid: child.pid ?? 0, stdout: () => stdout, ended };
  }

  /** Starts `curfew ARGS…`. */
  curfew(args: readonly string[], options: StartOptions = {}): Going {
    return this.start(readableNode, [options.file ?? curfewFile, ...args], options);
  }

  /** Runs `curfew ARGS…` to its end. */
  async run(args: readonly string[], options: StartOptions = {}): Promise<Ended> {
    return this.curfew(args, options).ended;
  }

  done(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a test with a home of its own. */
export const withHome = (test: (home: Home) => Promise<void>) => async (): Promise<void> => {
  const home = new Home();
  try {
    await test(home);
  } finally {
    home.done();
  }
};

/** A living process in the view of a test. */
export interface Seen {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  readonly state: string;
  readonly start: string;
  readonly args: string;
}

const read = (pid: string): Seen | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', ppid, pgid, sid, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return null;
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return {
      pid: Number(pid),
      ppid: Number(ppid),
      pgid: Number(pgid),
      sid: Number(sid),
      state,
      start: rest[15] ?? '',
      args,
    };
  } catch {
    return null;
  }
};

/** All living processes of this pid namespace. */
export const livingProcesses = (): readonly Seen[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(read)
    .filter((seen) => seen !== null);

/** One living process. */
export const living = (pid: number): Seen | null => read(String(pid));

/**
 * Living processes that started since the given ones were listed, except threads of the test
 * runner.
 */
export const newcomers = (before: readonly Seen[]): readonly Seen[] => {
  const known = new Set(before.map(({ pid, start }) => `${pid}:${start}`));
  return livingProcesses().filter(({ pid, start }) => !known.has(`${pid}:${start}`));
};

/**
 * Waits until a condition holds; fails with a StageError that shows the process table.
 * @param what is waited for, worked out when it fails
 */
export const until = async <T>(
  what: string | (() => string),
  check: () => T | null | undefined | false,
  seconds = 60,
): Promise<T> => {
  for (let turn = 0; turn < seconds * 50; turn += 1) {
    const found = check();
    if (found !== null && found !== undefined && found !== false) return found;
    await sleep(20);
  }
  const table = livingProcesses().map(
    (one) => `${one.pid} ${one.ppid} ${one.pgid} ${one.sid} ${one.state} ${one.args.slice(0, 120)}`,
  );
  throw new StageError(`waited in vain: ${typeof what === 'string' ? what : what()}\n${table.join('\n')}`);
};

/**
 * Runs actions that must finish before a limit: with the first limit (seconds), and with the next
 * one if the machine was too slow. `isInTime` tells whether fewer than this many seconds have
 * passed since the start; an attempt that is too late returns null. Throws a StageError if all
 * were.
 */
export const inTime = async <T>(
  limits: readonly number[],
  play: (seconds: number, isInTime: (seconds: number) => boolean) => Promise<T | null>,
): Promise<T> => {
  for (const seconds of limits) {
    const beganMs = performance.now();
    const played = await play(seconds, (within) => performance.now() - beganMs < within * 1000);
    if (played !== null) return played;
  }
  throw new StageError(`waited in vain: something within ${limits.at(-1) ?? 0} s`);
};

/**
 * Living processes with this in their command line. Excludes the test runner, which may be given
 * the name of a test, and `curfew run`, whose arguments include the command and which ends last,
 * after it has written the result.
 */
export const withText = (text: string): readonly Seen[] =>
  livingProcesses().filter(
    ({ args }) => args.includes(text) && !args.includes('vitest') && !args.includes('curfew.js'),
  );

/**
 * The pids that the runs of a home recorded at their last scan (`seen.json`): these are found even
 * after `curfew run` was killed.
 */
export const notedIn = (home: Home): ReadonlySet<number> => {
  const files = readdirSync(home.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/seen.json'),
  );
  const members = files.flatMap((name) => {
    try {
      return (JSON.parse(readFileSync(home.file(name), 'utf8')) as { members: { pid: number }[] }).members;
    } catch {
      // The run ended meanwhile.
      return [];
    }
  });
  return new Set(members.map(({ pid }) => pid));
};

/** Path of a fixture. */
export const fixture = (name: string): string => join(readableRoot, 'test/os/run/fixtures', name);

/** A process outside every run that records each signal. */
export class Innocent {
  readonly going: Going;
  readonly #log: string;

  constructor(home: Home, name: string, options: StartOptions = {}) {
    this.#log = home.file(`${name}.signals`);
    this.going = home.start('perl', [fixture('innocent.pl'), this.#log], options);
  }

  async ready(): Promise<this> {
    await until('an innocent is ready', () => this.heard().includes('ready'));
    return this;
  }

  heard(): readonly string[] {
    try {
      return readFileSync(this.#log, 'utf8').split('\n').filter(Boolean);
    } catch {
      return [];
    }
  }

  /** Alive, and never signalled. */
  untouched(): boolean {
    return living(this.going.pid) !== null && this.heard().join() === 'ready';
  }

  async end(): Promise<void> {
    this.going.child.kill('SIGKILL');
    await this.going.ended;
  }
}

/**
 * Ends after each test of the file what it has left running, and waits until that is gone. Returns
 * what tells which processes began since the test did.
 */
export const endWhatEachTestLeaves = (): (() => readonly Seen[]) => {
  let before: readonly Seen[] = [];
  beforeEach(() => {
    before = livingProcesses();
  });
  afterEach(async () => {
    for (const { pid } of newcomers(before)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with another one.
      }
    }
    await until('nothing is left', () => newcomers(before).length === 0);
  });
  return () => newcomers(before);
};
