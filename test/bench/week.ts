import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { smallFlags } from '../../main/cli/common/stay-small.ts';
import type { Bench, Figure } from './bench.ts';

/** More than so much of the first day's heap in a week is growth. */
const maxRatioToFirst = 1.05;
/** And so much of it a day. */
const maxGainPerDay = 0.01;

interface Point {
  readonly day: number;
  readonly heapMb: number;
  readonly residentMb: number;
}

interface Week {
  readonly points: readonly Point[];
  readonly looks: number;
  readonly reaped: number;
  readonly started: number;
}

/** The slope of the line that fits best, by least squares. */
const slopeOf = (points: readonly (readonly [number, number])[]): number => {
  const mean = (of: (point: readonly [number, number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const meanX = mean(([x]) => x);
  const meanY = mean(([, y]) => y);
  const rise = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return rise / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
};

const live = async (folder: string): Promise<Week> => {
  const program = join(import.meta.dirname, 'week-run.ts');
  // As `curfew watch` runs. With the compilers, which it does without, the resident size grew in steps on and on (108, 110, 112, 114 MB after days 1 to 4)
  // while the heap stood still: what grew lay outside of it, and without them it doesn't (95 and 94 MB after days 1 and 2).
  const child = spawn(process.execPath, [...smallFlags.waits, '--expose-gc', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await text(child.stdout);
  if (printed === '') throw new Error('the week broke off; why stands above');
  return JSON.parse(printed) as Week;
};

/** What the supervisor keeps in memory after a simulated week, beside what it keeps after its first day. */
export const weekBench: Bench = {
  name: 'week',
  run: async (progress) => {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-bench-week-'));
    try {
      progress('living through a week, a look every 15 s');
      const { points, looks, reaped, started } = await live(folder);
      const [first, last] = [points[0], points.at(-1)];
      if (first === undefined || last === undefined) throw new Error('nothing was measured');
      progress(`${looks} looks, ${started} processes, ${reaped} jobs ended`);
      if (reaped === 0) throw new Error('nothing was reaped in a week: this measures nothing');
      const slope = slopeOf(points.map(({ day, heapMb }) => [day, heapMb]));
      const figure = (what: string, ours: number, theirs: number, bar: number | null): Figure => ({
        what: `a simulated week: ${what}`,
        comparedWith: 'after the first day',
        at: looks,
        unit: 'MB',
        ours,
        theirs,
        ratio: ours / theirs,
        bar,
      });
      const line = (name: string, of: (point: Point) => number): { name: string; points: [number, number][] } => ({
        name,
        points: points.map((point) => [point.day, of(point)]),
      });
      return {
        figures: [
          figure('heap at its end', last.heapMb, first.heapMb, maxRatioToFirst),
          figure('heap gained a day', Math.max(0, slope), first.heapMb, maxGainPerDay),
          figure('resident at its end', last.residentMb, first.residentMb, null),
        ],
        plots: [
          {
            file: 'week',
            title: 'Memory of the supervisor in a simulated week',
            x: 'days',
            y: 'megabytes',
            lines: [line('resident', ({ residentMb }) => residentMb), line('heap', ({ heapMb }) => heapMb)],
          },
        ],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
