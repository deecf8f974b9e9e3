import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figure } from './bench.ts';
import { gather } from './crowd.ts';
import { compare } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const rounds = 9;
const processes = 300;

const calls = [
  ['curfew watch: to the end of its first look', ['watch', '--json']],
  ['curfew web: to its address', ['web', '--no-open', '--json', '--port', '0']],
] as const;

/** Starts it in its own home, and ends it at its first line of output. */
const toFirstLine = async (args: readonly string[]): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-bench-ready-'));
  const env = { ...process.env, HOME: home, CURFEW_HOME: home };
  const child = spawn(process.execPath, [commandLine, ...args], { stdio: ['ignore', 'pipe', 'ignore'], env });
  const exit = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), exit.then(() => null)]);
  child.kill('SIGKILL');
  await exit;
  rmSync(home, { recursive: true, force: true });
  if (first === null) throw new Error(`curfew ${args.join(' ')} ended without a word`);
};

/** Measures how long the supervisor takes until it is ready, beside a bare start of Node. */
export const readyBench: Bench = {
  name: 'ready',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    const crowd = await gather(processes);
    try {
      const figures: Figure[] = [];
      for (const [what, args] of calls) {
        progress(what);
        const bare = async (): Promise<unknown> =>
          once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
        const { ours, theirs, ratio } = await compare(() => toFirstLine(args), bare, rounds);
        figures.push({ what, comparedWith: 'node -e 0', at: processes, unit: 'ms', ours, theirs, ratio, bar: null });
      }
      return { figures, plots: [] };
    } finally {
      await crowd.disperse();
    }
  },
};
