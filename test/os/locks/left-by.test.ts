import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locksLeftBy } from '../../../main/locks/left-by.ts';
import { hasProgram } from '../../needs.ts';
import { eventually } from '../eventually.ts';
import { ownTable } from './own-table.ts';

/** The first pid namespace sees all processes: that of this test stands for it. */
const pidNamespace = '4026531836';
const skipped = hasProgram('git') ? '' : ' (SKIPPED: git is not here)';

test.skipIf(skipped !== '')(
  `a git that ended within the look holds its lock no more, another one in its folder does${skipped}`,
  async () => {
    const shop = realpathSync(mkdtempSync(join(tmpdir(), 'curfew-left-by-')));
    const lock = join(shop, '.git/index.lock');
    const started: ChildProcess[] = [];
    const start = (script: string): ChildProcess => {
      const child = spawn('perl', ['-e', script], { cwd: shop, argv0: 'git', stdio: 'ignore' });
      started.push(child);
      return child;
    };
    try {
      execFileSync('git', ['init', '-q', shop]);
      const killed = start('open F, ">", ".git/index.lock"; close F; sleep 600');
      await eventually(() => expect(existsSync(lock)).toBe(true));
      const seen = ownTable();
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      const other = start('sleep 600');
      await once(other, 'spawn');
      const leftWith = (pids: readonly (number | undefined)[]): readonly string[] => {
        const rows = new Map([...seen.rows, ...ownTable().rows].filter(([pid]) => pids.includes(pid)));
        const dead = [...rows.values()].filter(({ pid }) => Number(pid) === killed.pid);
        expect(rows.size).toBe(pids.length);
        const job = { project: shop, facts: new Map() };
        return locksLeftBy(pidNamespace, job, dead, { table: { ...seen, rows }, sessions: [] });
      };
      expect(leftWith([process.pid, killed.pid])).toEqual([lock]);
      expect(leftWith([process.pid, killed.pid, other.pid])).toEqual([]);
    } finally {
      for (const child of started) child.kill('SIGKILL');
      rmSync(shop, { recursive: true });
    }
  },
);
