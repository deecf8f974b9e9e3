import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { gather } from './crowd.ts';
import { compare } from './measure.ts';

const commandLine = join(import.meta.dirname, '../../build/out/cli/curfew.js');
const rounds = 25;
const processes = 300;
/** The design's bar for a whole scan; a bare start of Node is 1. */
const bar = 4;

/**
 * Processor time of all children that have ended, ms: cutime and cstime of proc_pid_stat(5), in
 * hundredths of a second.
 */
const childrenCpuMs = (): number => {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
};

/**
 * Measures `curfew scan` as a whole command, beside a bare start of Node, in wall clock and in
 * processor time, which depends less on what else the machine does. Its home is there already: from
 * the second call on compiled code is kept in it.
 */
export const commandBench: Bench = {
  name: 'command',
  run: async (progress) => {
    if (!existsSync(commandLine)) throw new Error(`${commandLine} isn't there: run npm run build first`);
    const home = mkdtempSync(join(tmpdir(), 'curfew-bench-command-'));
    const crowd = await gather(processes, false);
    try {
      const env = { ...process.env, HOME: home, CURFEW_HOME: home };
      const scan = (): void => {
        const { status, stdout } = spawnSync(process.execPath, [commandLine, 'scan'], { encoding: 'utf8', env });
        if (status !== 0 || stdout === '') throw new Error(`curfew scan ended with ${status}`);
      };
      const bare = (): unknown => spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
      progress('curfew scan');
      // The second call is the first that finds its compiled code.
      scan();
      const cpu: { readonly ours: number[]; readonly theirs: number[] } = { ours: [], theirs: [] };
      const counted = (work: () => unknown, into: number[]) => (): void => {
        const before = childrenCpuMs();
        work();
        into.push(childrenCpuMs() - before);
      };
      const wall = await compare(counted(scan, cpu.ours), counted(bare, cpu.theirs), rounds);
      const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
      const [ours, theirs] = [mean(cpu.ours.slice(1)), mean(cpu.theirs.slice(1))];
      const common = { comparedWith: 'node -e 0', at: processes, unit: 'ms', bar } as const;
      return {
        figures: [
          { ...common, what: 'curfew scan, wall clock', ours: wall.ours, theirs: wall.theirs, ratio: wall.ratio },
          { ...common, what: 'curfew scan, processor time', ours, theirs, ratio: ours / theirs },
        ],
        plots: [],
      };
    } finally {
      await crowd.disperse();
      rmSync(home, { recursive: true, force: true });
    }
  },
};
