import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bench, Figure, Findings } from './bench.ts';
import { startMeasured, type LoopDelay } from './loop.ts';
import { gatherOverdue, type OverdueCrowd } from './overdue-crowd.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const sizes = [50, 500] as const;
const graceSeconds = 10;
const intervalSeconds = 5;
/** Long enough that all jobs run and the first scan is over when the first of them is due. */
const limitSeconds = 30;
/** The design's bar: the grace and two scans, seconds. */
const maxSeconds = graceSeconds + 2 * intervalSeconds;
/** Timeout in ms. */
const patienceMs = 180_000;

const settings = {
  mode: 'enforce',
  // Given before the limit: with the default of a minute the notice would be measured, and not what
  // comes after the limit.
  noticeSeconds: 10,
  orphanGraceSeconds: limitSeconds,
  backgroundKillGraceSeconds: graceSeconds,
  scanIntervalSeconds: intervalSeconds,
};

interface Ended {
  readonly atMs: number;
  readonly job: string;
  readonly outcome: string;
}

interface Measured {
  readonly count: number;
  readonly seconds: number;
  readonly ours: LoopDelay;
  readonly bare: LoopDelay;
}

const living = (pids: readonly number[]): number => pids.filter((pid) => existsSync(`/proc/${pid}`)).length;

const check = (crowd: OverdueCrowd, ended: readonly Ended[]): void => {
  const { jobs, innocents } = crowd;
  if (living(innocents) !== innocents.length)
    throw new Error(`of ${innocents.length} innocents ${living(innocents)} live`);
  if (living(jobs) !== 0)
    throw new Error(`of ${jobs.length} jobs ${living(jobs)} live although all are said to have ended`);
  const outcomes = Map.groupBy(ended, ({ outcome }) => outcome);
  const killed = outcomes.get('killed')?.length ?? 0;
  if (outcomes.size > 2 || Math.abs(killed - jobs.length / 2) > 1)
    throw new Error(`the outcomes are ${JSON.stringify([...outcomes].map(([name, all]) => [name, all.length]))}`);
};

const measureAt = async (count: number, progress: (text: string) => void): Promise<Measured> => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-bench-overdue-'));
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings));
  const crowd = await gatherOverdue(count);
  progress(`${count} jobs, half of them deaf to TERM, will have overstayed in ${limitSeconds} s`);
  const bare = startMeasured(home, ['-e', 'setInterval(() => undefined, 5000)'], 'ignore');
  const watch = startMeasured(home, [commandLine, 'watch', '--json'], ['ignore', 'pipe', 'inherit']);
  const { stdout } = watch.child;
  if (stdout === null) throw new Error('nothing can be read from it');
  const ended: Ended[] = [];
  const timeout = setTimeout(() => watch.child.kill('SIGKILL'), patienceMs);
  try {
    let looks = 0;
    let lastMs = 0;
    for await (const line of createInterface({ input: stdout })) {
      const said = JSON.parse(line) as { event: string; incident?: Omit<Ended, 'atMs'>; problem?: string };
      if (said.event === 'problem' || said.event === 'failed') throw new Error(said.problem ?? line);
      if (said.event === 'looked' && ++looks === 2) await Promise.all([watch.delay(), bare.delay()]);
      if (said.event !== 'ended' || said.incident === undefined) continue;
      lastMs = Date.now();
      ended.push({ ...said.incident, atMs: lastMs });
      if (ended.length === count) break;
    }
    if (ended.length < count)
      throw new Error(`${ended.length} of ${count} jobs were ended within ${patienceMs / 1000} s`);
    check(crowd, ended);
    const seconds = (lastMs - crowd.readyMs) / 1000 - limitSeconds;
    return { count, seconds, ours: await watch.delay(), bare: await bare.delay() };
  } finally {
    clearTimeout(timeout);
    for (const { child } of [watch, bare]) {
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await gone;
    }
    await crowd.disperse();
    rmSync(home, { recursive: true, force: true });
  }
};

const figuresAt = ({ count, seconds, ours, bare }: Measured): readonly Figure[] => {
  const delay = (what: string, of: 'p50' | 'p99' | 'most'): Figure => ({
    what: `event loop while they are ended, late by: ${what}`,
    comparedWith: 'a Node that waits',
    at: count,
    unit: 'ms',
    ours: ours[of],
    theirs: bare[of],
    ratio: ours[of] / bare[of],
    bar: null,
  });
  return [
    {
      what: 'overdue jobs, half of them deaf to TERM: from the limit to the last confirmed death',
      comparedWith: 'the grace and two looks',
      at: count,
      unit: 's',
      ours: seconds,
      theirs: maxSeconds,
      ratio: seconds / maxSeconds,
      bar: 1,
    },
    delay('the middle', 'p50'),
    delay('99 of 100', 'p99'),
    delay('the worst', 'most'),
  ];
};

/**
 * Measures many jobs overdue at once, from their limit to the last confirmed death, and the
 * supervisor's event loop meanwhile.
 */
export const overdueBench: Bench = {
  name: 'overdue',
  run: async (progress): Promise<Findings> => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    const figures: Figure[] = [];
    for (const count of sizes) figures.push(...figuresAt(await measureAt(count, progress)));
    return { figures, plots: [] };
  },
};
