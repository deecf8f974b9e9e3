import { closeSync, openSync, readFileSync } from 'node:fs';
import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import {
  everybody,
  fixture,
  type Ended,
  type Home,
  Innocent,
  living,
  newcomers,
  until,
  withHome,
  withText,
} from './curfew-run.ts';
import { type RandomRun, randomRun } from './random-tree.ts';
import { ways } from './ways.ts';

/** `npm run test:run-trees` sets a thousand; a failure names the seed. */
const trees = Number(process.env['CURFEW_TEST_TREES'] ?? '24');
const seed = Number(process.env['CURFEW_TEST_SEED'] ?? '20261121');
const atOnce = 4;

/** Whether a process ignores TERM, by the kernel's own word: signal 15 is bit 14. */
const isDeaf = (pid: number): boolean => {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended since it was seen.
    return false;
  }
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/mu.exec(status)?.[1] ?? '0';
  return (BigInt(`0x${ignored}`) & (1n << 14n)) !== 0n;
};

const conduct = async (
  home: Home,
  { tree, graceSeconds, end, isDeaf: wantsDeaf }: RandomRun,
  at: number,
): Promise<Ended> => {
  const way = ways[at % 2] ?? ways[0];
  const limit = end === 'limit' ? ['--max-elapsed', '1'] : [];
  const args = [
    'run',
    ...limit,
    '--grace',
    String(graceSeconds),
    '--name',
    `tree-${at}`,
    '--',
    'perl',
    fixture('tree.pl'),
  ];
  // A file and no pipe: whoever survives would keep a pipe open, and the test would wait instead of telling.
  const errors = openSync(home.file(`errors-${at}`), 'w');
  const going = home.curfew([...args, JSON.stringify(tree)], {
    ...way?.options(home),
    stdio: ['ignore', 'ignore', errors],
  });
  if (end === 'told') {
    await until('the command runs, and is deaf if it is to be', () => {
      const command = commandBelow(going.pid);
      return living(going.pid) === null || (command !== null && (!wantsDeaf || isDeaf(command)));
    });
    going.child.kill('SIGTERM');
  }
  const { code } = await going.ended;
  closeSync(errors);
  return { code, stdout: '', stderr: readFileSync(home.file(`errors-${at}`), 'utf8') };
};

const commandBelow = (pid: number): number | null =>
  everybody().find(({ ppid, args }) => ppid === pid && args.startsWith('perl'))?.pid ?? null;

test(
  `${trees} random trees of up to 50 processes: nobody survives, nobody outside is touched, the statuses are right`,
  withHome(async (home) => {
    const innocents = await Promise.all([
      new Innocent(home, 'one').ready(),
      new Innocent(home, 'other-run', { env: { CURFEW_RUN: '2222222222' } }).ready(),
    ]);
    const before = everybody();
    const runs = sample(randomRun, { numRuns: trees, seed });
    for (let first = 0; first < runs.length; first += atOnce) {
      const batch = runs.slice(first, first + atOnce);
      const ended = await Promise.all(batch.map((run, at) => conduct(home, run, first + at)));
      const codes = ended.map(({ code }, at) => (batch[at]?.statuses.includes(code) === true ? 'as it ended' : code));
      // What Curfew itself says went wrong.
      expect(ended.map(({ stderr }) => stderr).filter((text) => !/^(?:curfew: ended after|$)/.test(text))).toEqual([]);
      expect({ seed, first, codes }).toEqual({ seed, first, codes: batch.map(() => 'as it ended') });
      expect({ seed, first, left: newcomers(before) }).toEqual({ seed, first, left: [] });
    }
    expect(withText('tree.pl')).toEqual([]);
    for (const innocent of innocents) {
      expect(innocent.untouched()).toBe(true);
      await innocent.end();
    }
  }),
  7_200_000,
);
