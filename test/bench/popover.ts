import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findChromium } from '../../build/scripts/find-chromium.ts';
import type { Bench, Figure } from './bench.ts';

/** The design's bars, milliseconds. */
const maxOpenMs = 200;
const longTask = 50;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** The parts used of the output of `npm run bench:ui`. */
interface Measured {
  readonly jobs: number;
  readonly emptyPage: Cost;
  readonly loaded: Cost;
  readonly openedInAWindow: Cost;
  readonly whileSnapshotsArrive: { readonly maxTask: Cost };
}

const clocks = [
  ['wallMs', ''],
  ['cpuMs', ', processor time of its main thread'],
] as const;

/** Measures the popover in a real browser, beside an empty page. */
export const popoverBench: Bench = {
  name: 'popover',
  run: async (progress) => {
    const browser = findChromium();
    if ('reason' in browser) {
      progress(`the popover is NOT measured: ${browser.reason}`);
      return { figures: [], plots: [] };
    }
    progress('loading, opening and updating the popover');
    const child = spawn(process.execPath, [join(import.meta.dirname, '../ui/bench.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = await text(child.stdout);
    if (printed === '') throw new Error('nothing was measured; why stands above');
    const measured = JSON.parse(printed) as Measured;
    const figures = clocks.flatMap(([clock, how]): readonly Figure[] => {
      const { emptyPage, loaded, openedInAWindow, whileSnapshotsArrive } = measured;
      const figure = (
        what: string,
        comparedWith: string,
        ours: number,
        theirs: number,
        most: number | null,
      ): Figure => ({
        what: `popover: ${what}${how}`,
        comparedWith,
        at: measured.jobs,
        unit: 'ms',
        ours,
        theirs,
        ratio: ours / theirs,
        bar: null,
        most,
      });
      // A user waits by the wall clock; a task that is interrupted on a busy machine is not one
      // long task.
      const [opening, tasks] = clock === 'wallMs' ? [maxOpenMs, null] : [null, longTask];
      const { maxTask } = whileSnapshotsArrive;
      return [
        figure('the page, loaded anew', 'an empty page, loaded', loaded[clock], emptyPage[clock], null),
        figure(
          'from the click to its jobs',
          'an empty page, loaded',
          openedInAWindow[clock],
          emptyPage[clock],
          opening,
        ),
        figure('longest task while snapshots arrive', 'a long task', maxTask[clock], longTask, tasks),
      ];
    });
    return { figures, plots: [] };
  },
};
