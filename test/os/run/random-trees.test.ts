import { chmodSync, closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import {
  livingProcesses,
  fixture,
  type Ended,
  type Home,
  Innocent,
  living,
  newcomers,
  type Seen,
  until,
  withHome,
  withText,
} from './curfew-run.ts';
import { type RandomRun, randomRun, shelteredIn } from './random-tree.ts';
import { ways } from './ways.ts';

/** `npm run test:run-trees` sets a thousand; a failure names the seed. */
const trees = Number(process.env['CURFEW_TEST_TREES'] ?? '24');
const seed = Number(process.env['CURFEW_TEST_SEED'] ?? '20261121');
const atOnce = 4;

/** True if a process ignores TERM, according to the kernel: signal 15 is bit 14. */
const isDeaf = (pid: number): boolean => {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended since it was listed.
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
  // A file, not a pipe: a survivor would keep a pipe open, and the test would hang instead of
  // failing.
  const errors = openSync(home.file(`errors-${at}`), 'w');
  const folder = home.file(`ready-${at}`);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const { shelters } = shelteredIn(tree);
  const going = home.curfew([...args, JSON.stringify({ ...tree, folder, at, shelters })], {
    ...way?.options(home),
    stdio: ['ignore', 'ignore', errors],
  });
  if (end === 'told') {
    await until('the command runs, and is deaf if it is to be', () => {
      const command = commandBelow(going.pid);
      const stands = command !== null && (!wantsDeaf || isDeaf(command)) && sheltersOf(at).length === shelters;
      return living(going.pid) === null || stands;
    });
    going.child.kill('SIGTERM');
  }
  const { code } = await going.ended;
  closeSync(errors);
  return { code, stdout: '', stderr: readFileSync(home.file(`errors-${at}`), 'utf8') };
};

/** The program that plays a protected one in this tree; see `shelter` in fixtures/tree.pl. */
const sheltersOf = (at: number): readonly Seen[] =>
  livingProcesses().filter(({ args }) => args.endsWith(` 86400 ${at}`));

/** A shelter, and its descendants. */
const isSheltered = (one: Seen, all: readonly Seen[]): boolean => {
  if (/^\S+ 86400 \d+$/u.test(one.args)) return true;
  const parent = all.find(({ pid }) => pid === one.ppid);
  return parent !== undefined && parent.pid !== one.pid && isSheltered(parent, all);
};

/**
 * Returns the number of sheltered processes that a run left, and the others. Ends the sheltered
 * ones.
 */
const leftBy = async (
  before: readonly Seen[],
  sheltered: number,
): Promise<{ readonly sheltered: readonly number[]; readonly others: readonly Seen[] }> => {
  // A process that was just forked may fork again.
  const there = (): readonly Seen[] => newcomers(before).filter((one, _, all) => isSheltered(one, all));
  await until('all that is sheltered is there', () => there().length >= sheltered, 20).catch(() => null);
  const left = newcomers(before);
  const safe = left.filter((one) => isSheltered(one, left));
  for (const { pid } of safe) process.kill(pid, 'SIGKILL');
  await until('the sheltered have ended', () => safe.every(({ pid }) => living(pid) === null));
  return { sheltered: safe.map(({ pid }) => pid), others: left.filter((one) => !safe.includes(one)) };
};

const commandBelow = (pid: number): number | null =>
  livingProcesses().find(({ ppid, args }) => ppid === pid && args.startsWith('perl'))?.pid ?? null;

const isAboutSpared = /^curfew: (?:process \d+ \(.+\) was left running: |to have these ended as well)/u;

test(
  `${trees} random trees of up to 50 processes: only protected processes survive, nothing outside is touched, the statuses are right`,
  withHome(async (home) => {
    const innocents = await Promise.all([
      new Innocent(home, 'one').ready(),
      new Innocent(home, 'other-run', { env: { CURFEW_RUN: '2222222222' } }).ready(),
    ]);
    const before = livingProcesses();
    const runs = sample(randomRun, { numRuns: trees, seed });
    for (let first = 0; first < runs.length; first += atOnce) {
      const batch = runs.slice(first, first + atOnce);
      const ended = await Promise.all(batch.map((run, at) => conduct(home, run, first + at)));
      const codes = ended.map(({ code }, at) => (batch[at]?.statuses.includes(code) === true ? 'as it ended' : code));
      // Errors that Curfew itself reported.
      const said = ended.flatMap(({ stderr }) => stderr.split('\n'));
      expect(said.filter((line) => !/^(?:curfew: ended after|$)/.test(line) && !isAboutSpared.test(line))).toEqual([]);
      expect({ seed, first, codes }).toEqual({ seed, first, codes: batch.map(() => 'as it ended') });
      const sheltered = batch.reduce((sum, { tree }) => sum + shelteredIn(tree).all, 0);
      const left = await leftBy(before, sheltered);
      expect({ seed, first, left: left.others }).toEqual({ seed, first, left: [] });
      expect({ seed, first, sheltered: left.sheltered.length }).toEqual({ seed, first, sheltered });
      // Each once, and nothing else. Descendants of a shelter may have started after the end of the
      // run.
      const named = said.flatMap((line) => / (\d+) \(.+\) was left running: /u.exec(line)?.[1] ?? []).map(Number);
      const shelters = batch.reduce((sum, { tree }) => sum + shelteredIn(tree).shelters, 0);
      expect(named).toHaveLength(new Set(named).size);
      expect(named.filter((pid) => !left.sheltered.includes(pid))).toEqual([]);
      expect(named.length).toBeGreaterThanOrEqual(shelters);
    }
    expect(withText('tree.pl')).toEqual([]);
    for (const innocent of innocents) {
      expect(innocent.untouched()).toBe(true);
      await innocent.end();
    }
  }),
  7_200_000,
);
