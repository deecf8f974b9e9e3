import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Figure } from './bench.ts';
import { compare } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const rounds = 30;
/** The package's promise: a start in at most this multiple of a bare Node's. */
const bar = 1.5;

const calls = [['--version'], ['scan', '--help'], ['--help']] as const;

/** Measures how long the command line takes to start, beside a bare start of Node. */
export const startBench: Bench = {
  name: 'start',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    const figures: Figure[] = [];
    for (const call of calls) {
      const what = `curfew ${call.join(' ')}`;
      progress(what);
      const ours = (): void => {
        const { status, stdout } = spawnSync(process.execPath, [commandLine, ...call], { encoding: 'utf8' });
        if (status !== 0 || stdout === '') throw new Error(`${what} ended with ${status}`);
      };
      const bare = (): unknown => spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
      const measured = await compare(ours, bare, rounds);
      figures.push({
        what: `start: ${what}`,
        comparedWith: 'node -e 0',
        at: 1,
        unit: 'ms',
        ours: measured.ours,
        theirs: measured.theirs,
        ratio: measured.ratio,
        bar: call[0] === '--help' ? null : bar,
      });
    }
    return { figures, plots: [] };
  },
};
