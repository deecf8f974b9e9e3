import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import psList from 'ps-list';
import { environmentNames } from '../../app/agents/signatures.ts';
import type { Pid } from '../../app/process/identity.ts';
import { LinuxSource } from '../../main/os/linux/source.ts';
import { youngSeconds } from '../../main/os/linux/proc/known-processes.ts';
import type { Bench, Figure } from './bench.ts';
import { gather } from './crowd.ts';
import type { Comparison, Work } from './measure.ts';
import { compare, growthExponent } from './measure.ts';

const sizes = [300, 2_000, 8_000] as const;
/** The bars of the design hold at this size. */
const barSize = 2_000;

const unwatched: ReadonlySet<Pid> = new Set();
const uid = process.getuid?.() ?? 0;

/**
 * Scans as the search for jobs needs it: every row, and the markers of every process of the user.
 */
const look = (source: LinuxSource): void => {
  const table = source.scan(unwatched);
  for (const row of table.rows.values()) if (row.uid === uid) source.environment(row);
};

const ps =
  (...args: readonly string[]): Work =>
  () =>
    execFileSync('ps', args, { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });

const briefPs = 'pid,ppid,pgid,sid,args';
/** With environments, which Curfew reads too, and users. */
const environmentPs = ['axeww', '-o', 'pid,ppid,pgid,sid,uid,args'] as const;
const longPs = 'pid,ppid,pgid,sid,stat,etimes,time,rss,uid,args';

interface Size {
  readonly at: number;
  readonly steadyToPs: Comparison;
  readonly steadyToPsList: Comparison;
  readonly steadyToListing: Comparison;
  readonly firstToPs: Comparison;
  readonly firstToEnvironmentPs: Comparison;
  readonly rowsToPs: Comparison;
}

const measureAt = async (size: number, progress: (text: string) => void): Promise<Size> => {
  progress(`starting ${size} processes`);
  const crowd = await gather(size);
  try {
    // In a steady scan no process is young enough to be read at every scan.
    await wait((youngSeconds + 1) * 1_000);
    const source = new LinuxSource({ environmentNames, uid });
    look(source);
    const steady = (): void => {
      look(source);
    };
    const options = { environmentNames, uid };
    const first = (): void => {
      look(new LinuxSource(options));
    };
    const rows = (): unknown => new LinuxSource(options).scan(unwatched);
    progress(`measuring at ${size}`);
    return {
      at: size,
      steadyToPs: await compare(steady, ps('-eo', longPs), 15),
      steadyToPsList: await compare(steady, () => psList(), 7),
      steadyToListing: await compare(steady, () => readdirSync('/proc'), 45),
      firstToPs: await compare(first, ps('-eo', briefPs), 15),
      firstToEnvironmentPs: await compare(first, ps(...environmentPs), 9),
      rowsToPs: await compare(rows, ps('-eo', briefPs), 15),
    };
  } finally {
    progress(`ending ${size} processes`);
    await crowd.disperse();
  }
};

const figuresAt = (size: Size): readonly Figure[] => {
  const bar = (value: number): number | null => (size.at === barSize ? value : null);
  const figure = (what: string, comparedWith: string, one: Comparison, limit: number | null): Figure => ({
    what,
    comparedWith,
    at: size.at,
    unit: 'ms',
    ours: one.ours,
    theirs: one.theirs,
    ratio: one.ratio,
    bar: limit,
  });
  return [
    figure('steady scan', `ps -eo ${longPs}`, size.steadyToPs, bar(1 / 15)),
    figure('steady scan', 'ps-list', size.steadyToPsList, bar(1 / 20)),
    figure('steady scan', "readdirSync('/proc')", size.steadyToListing, bar(4)),
    figure('first scan, markers of all included', `ps -eo ${briefPs}`, size.firstToPs, null),
    figure(
      'first scan, markers of all included',
      `ps ${environmentPs.join(' ')}`,
      size.firstToEnvironmentPs,
      bar(1 / 3),
    ),
    figure('first scan, rows alone', `ps -eo ${briefPs}`, size.rowsToPs, null),
  ];
};

const growth = (what: string, small: Size, large: Size, of: (size: Size) => Comparison): Figure => {
  const ours = growthExponent({ at: small.at, ms: of(small).ourLeast }, { at: large.at, ms: of(large).ourLeast });
  return {
    what: `${what}: growth from ${small.at} to ${large.at}`,
    comparedWith: 'linear growth',
    at: large.at,
    unit: 'exponent',
    ours,
    theirs: 1,
    ratio: ours,
    bar: 1,
  };
};

/**
 * Why the first scan is near its bar and not below: it reads stat, cmdline, environ and the owner
 * of each process, as the ps does that it is compared to, and most of it is the kernel's part. For
 * 2,003 processes a loop in C that only opens, reads and closes the three files takes 45 to 50 ms
 * (kernel 6.18, 2 cores, nothing else running); Node adds 8 and the owner 5. Tried: the same calls
 * through koffi instead of node:fs (a tenth less); argv and environment in one process_vm_readv,
 * which needs ptrace rights (a fifth less, and only for root or without Yama). Not tried, because a
 * first scan would then miss jobs: deferring command lines or environments of some processes.
 */

/**
 * Measures reading the process table: a steady and a first scan, beside ps, ps-list and a bare
 * listing, at three sizes.
 */
export const scanBench: Bench = {
  name: 'scan',
  run: async (progress) => {
    const measured: Size[] = [];
    for (const size of sizes) measured.push(await measureAt(size, progress));
    const [small, , large] = measured;
    if (small === undefined || large === undefined) throw new Error('not all sizes were measured');
    const line = (name: string, of: (size: Size) => number): { name: string; points: [number, number][] } => ({
      name,
      points: measured.map((size) => [size.at, of(size)]),
    });
    return {
      figures: [
        ...measured.flatMap(figuresAt),
        growth('steady scan', small, large, (size) => size.steadyToPs),
        growth('first scan', small, large, (size) => size.firstToPs),
      ],
      plots: [
        {
          file: 'scan',
          title: 'Reading the process table',
          x: 'processes',
          y: 'milliseconds',
          lines: [
            line('ps-list', (size) => size.steadyToPsList.theirs),
            line('ps', (size) => size.steadyToPs.theirs),
            line('first scan', (size) => size.firstToPs.ours),
            line('steady scan', (size) => size.steadyToPs.ours),
            line('bare listing', (size) => size.steadyToListing.theirs),
          ],
        },
      ],
    };
  },
};
