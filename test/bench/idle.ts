import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, Figure } from './bench.ts';
import { gather } from './crowd.ts';
import { median } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const processes = 500;
/** Of the design: megabytes resident, and the share of a core at a look every 5 s. */
const maxMegabytes = 64;
const maxCoreShare = 0.1;
/** The first look and what follows from it are no idling: V8 tidies up when little has happened for 8 s, on a busy machine later. */
const settleMs = 20_000;
const observedMs = 30_000;
const samples = 6;

interface Sample {
  readonly residentMb: number;
  /** Of it what belongs to nobody else: without the pages of programs and libraries, which are shared. */
  readonly ownMb: number;
  readonly cpuMs: number;
}

const sample = (pid: number | undefined): Sample => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1]) / 1024;
  // Nanoseconds on a processor: the first figure of each thread (the file of the process itself is that of its first thread alone).
  const cpuMs = readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, one) => sum + one, 0);
  return { residentMb: megabytes('VmRSS'), ownMb: megabytes('RssAnon'), cpuMs };
};

const end = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
};

interface Idle {
  readonly residentMb: number;
  readonly ownMb: number;
  /** Percent of a core. */
  readonly ofACore: number;
}

const observe = async (children: readonly ChildProcess[]): Promise<readonly Idle[]> => {
  await wait(settleMs);
  const taken: Sample[][] = children.map(() => []);
  for (let round = 0; round < samples; round++) {
    children.forEach(({ pid }, index) => taken[index]?.push(sample(pid)));
    await wait(observedMs / samples);
  }
  return children.map(({ pid }, index) => {
    const of = taken[index] ?? [];
    const before = of[0]?.cpuMs ?? Number.NaN;
    return {
      residentMb: median(of.map(({ residentMb }) => residentMb)),
      ownMb: median(of.map(({ ownMb }) => ownMb)),
      ofACore: ((sample(pid).cpuMs - before) / observedMs) * 100,
    };
  });
};

const commands = ['watch', 'web'] as const;

/** @param leftovers whether one in ten of the processes is a job that was left behind, so that there is something to look into */
const measure = async (leftovers: boolean, progress: (text: string) => void): Promise<readonly Figure[]> => {
  const crowd = await gather(processes, leftovers);
  const homes: string[] = [];
  const start = (...args: readonly string[]): ChildProcess => {
    const home = mkdtempSync(join(tmpdir(), 'curfew-bench-idle-'));
    homes.push(home);
    return spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, HOME: home, CURFEW_HOME: home } });
  };
  const children = [
    start('-e', 'setInterval(() => undefined, 5000)'),
    start(commandLine, 'watch'),
    start(commandLine, 'web', '--no-open', '--port', '0'),
  ];
  try {
    progress(`watching ${processes} processes for ${(settleMs + observedMs) / 1000} s`);
    const [bare, ...idle] = await observe(children);
    if (bare === undefined) throw new Error('nothing was measured');
    const among = leftovers ? `among ${processes / 10} jobs` : 'no jobs';
    return idle.flatMap((one, index): Figure[] => {
      const held = commands[index] === 'watch' && !leftovers;
      const figure = (what: string, unit: Figure['unit'], of: keyof Idle, most: number): Figure => ({
        what: `idle curfew ${commands[index] ?? ''}, ${among}: ${what}`,
        comparedWith: 'a Node that waits',
        at: processes,
        unit,
        ours: one[of],
        theirs: bare[of],
        ratio: one[of] / bare[of],
        bar: null,
        most: held && of !== 'ownMb' ? most : null,
      });
      return [
        figure('resident', 'MB', 'residentMb', maxMegabytes),
        figure('of it its own', 'MB', 'ownMb', maxMegabytes),
        figure('of a core, a look every 5 s', '%', 'ofACore', maxCoreShare),
      ];
    });
  } finally {
    await Promise.all(children.map(end));
    await crowd.disperse();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
};

/** What the supervisor takes while nothing happens, beside a Node that only waits. */
export const idleBench: Bench = {
  name: 'idle',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    return { figures: [...(await measure(false, progress)), ...(await measure(true, progress))], plots: [] };
  },
};
