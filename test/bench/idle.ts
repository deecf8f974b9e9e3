import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { agentsInWords, gatherAgents } from './agents.ts';
import type { Bench, Figure } from './bench.ts';
import { gather } from './crowd.ts';
import { median } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const processes = 500;
/** The design's bars: megabytes resident, and the share of a core at a scan every 5 s. */
const maxMegabytes = 64;
const maxCoreShare = 0.1;
const maxCoreShareAmongJobs = 0.3;
/** The same with servers and agents beside the jobs. */
const maxWithAgents = { megabytes: 70, coreShare: 0.5 } as const;
/**
 * The first scan and its aftermath are not idle: V8 collects garbage after 8 quiet seconds, on a
 * busy machine later.
 */
const settleMs = 20_000;
const observedMs = 30_000;
const samples = 6;

interface Sample {
  readonly residentMb: number;
  /** Private memory: without the pages of programs and libraries, which are shared. */
  readonly ownMb: number;
  readonly cpuMs: number;
}

const sample = (pid: number | undefined): Sample => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1]) / 1024;
  // CPU time in nanoseconds: the first figure of each thread (the process's own file is that of its
  // first thread alone).
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

/**
 * @param leftovers whether one in ten of the processes is a leftover job, so that there is
 * something to judge
 */
const measure = async (leftovers: boolean, progress: (text: string) => void): Promise<readonly Figure[]> => {
  const crowd = await gather(processes, leftovers);
  const homes: string[] = [];
  const start = (...args: readonly string[]): ChildProcess => {
    const home = mkdtempSync(join(tmpdir(), 'curfew-bench-idle-'));
    homes.push(home);
    return spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, HOME: home, CURFEW_HOME: home } });
  };
  const among = leftovers ? `among ${processes / 10} jobs` : 'no jobs';
  let alone: Idle | null = null;
  // One supervisor at a time: to another it would be a process that is never idle.
  const idleBeside = async (command: (typeof commands)[number]): Promise<readonly Figure[]> => {
    const options = command === 'web' ? ['--no-open', '--port', '0'] : [];
    const children = [start('-e', 'setInterval(() => undefined, 5000)'), start(commandLine, command, ...options)];
    try {
      progress(`curfew ${command} beside ${processes} processes, ${among}, for ${(settleMs + observedMs) / 1000} s`);
      const [bare, one] = await observe(children);
      if (bare === undefined || one === undefined) throw new Error('nothing was measured');
      if (command === 'watch') alone = one;
      const figure = (what: string, unit: Figure['unit'], of: keyof Idle, most: number | null): Figure => ({
        what: `idle curfew ${command}, ${among}: ${what}`,
        comparedWith: 'a Node that waits',
        at: processes,
        unit,
        ours: one[of],
        theirs: bare[of],
        ratio: one[of] / bare[of],
        bar: null,
        most: command === 'watch' ? most : null,
      });
      return [
        figure('resident', 'MB', 'residentMb', leftovers ? null : maxMegabytes),
        figure('of it its own', 'MB', 'ownMb', null),
        figure('of a core, a look every 5 s', '%', 'ofACore', leftovers ? maxCoreShareAmongJobs : maxCoreShare),
      ];
    } finally {
      await Promise.all(children.map(end));
    }
  };
  /** The same watch, with servers and agents out of reach beside the jobs. */
  const idleWithAgents = async (before: Idle): Promise<readonly Figure[]> => {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-bench-agents-'));
    homes.push(folder);
    const agents = await gatherAgents(join(folder, 'agents.py'));
    const watch = start(commandLine, 'watch');
    try {
      progress(`the same with ${agentsInWords}`);
      const [one] = await observe([watch]);
      if (one === undefined) throw new Error('nothing was measured');
      const figure = (what: string, unit: Figure['unit'], of: keyof Idle, most: number | null): Figure => ({
        what: `idle curfew watch, ${among}, ${agentsInWords}: ${what}`,
        comparedWith: 'the same watch without them',
        at: processes,
        unit,
        ours: one[of],
        theirs: before[of],
        ratio: one[of] / before[of],
        bar: null,
        most,
      });
      return [
        figure('resident', 'MB', 'residentMb', maxWithAgents.megabytes),
        figure('of a core, a look every 5 s', '%', 'ofACore', maxWithAgents.coreShare),
      ];
    } finally {
      await end(watch);
      await agents.disperse();
    }
  };
  try {
    const figures = [...(await idleBeside('watch')), ...(await idleBeside('web'))];
    return leftovers && alone !== null ? [...figures, ...(await idleWithAgents(alone))] : figures;
  } finally {
    await crowd.disperse();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
};

/** Measures what the supervisor takes while nothing happens, beside a Node that only waits. */
export const idleBench: Bench = {
  name: 'idle',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    return { figures: [...(await measure(false, progress)), ...(await measure(true, progress))], plots: [] };
  },
};
