import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ServerWitness } from '../../../../app/jobs/lineage/witness.ts';
import { endableRoots, olderSets, olderSetSeconds } from '../../../../app/jobs/servers/older-sets.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { rowOf } from '../../judge/job-builder.ts';
import { tableOf, ticksPerSecond } from '../../reach/table.ts';

const host = rowOf(50, ['codex'], { startTicks: 1000 });
const counts = { readBytes: 1, writtenBytes: 1, reads: 1, writes: 1 };
const nowTicks = 1_000_000_000;
const longAgo = nowTicks - olderSetSeconds * ticksPerSecond;

/** A launcher and its server, the first of which is so old. */
const setOf = (pid: number, startTicks: number, more: Partial<ProcessRow> = {}): readonly [ProcessRow, ProcessRow] => [
  rowOf(pid, ['npm', 'exec', 'mcp'], { ppid: asPid(50), startTicks }),
  rowOf(pid + 1, ['node', 'mcp'], { ppid: asPid(pid), startTicks: startTicks + 1, ...more }),
];

const witnessOf = (
  { pid, startTicks }: ProcessRow,
  sinceTicks: number | null = longAgo,
  more: Pick<NonNullable<ServerWitness['still']>, 'folder' | 'environment' | 'computed'> = {},
): ServerWitness => ({
  kind: 'server',
  pid,
  startTicks,
  agent: 'codex',
  inner: false,
  owner: { pid: 50, startTicks: 1000 },
  ...(sinceTicks === null
    ? {}
    : {
        still: {
          sinceTicks,
          counts,
          folder: '/shop',
          environment: 'a',
          computed: { atTicks: nowTicks, cpuMs: 0 },
          ...more,
        },
      }),
});

const look = (sets: readonly (readonly ProcessRow[])[], witnesses = sets.flat().map((row) => witnessOf(row))) => {
  const table = tableOf([host, ...sets.flat()], nowTicks);
  return { sets: olderSets(table, witnesses), roots: endableRoots(table, witnesses, 50) };
};

describe('the older sets of servers of one host', () => {
  test('are all but the youngest, where no byte was seen for six hours', () => {
    const { sets, roots } = look([setOf(60, 2000), setOf(70, 4000), setOf(80, 6000)]);
    expect(sets).toMatchObject([{ youngest: { root: { pid: 80 } }, waiting: 0 }]);
    expect(roots).toEqual(new Set([70, 60]));
  });

  test('wait where one of their processes moved a byte, or was not measured', () => {
    const [root, server] = setOf(60, 2000);
    const younger = setOf(70, 4000);
    for (const sinceTicks of [longAgo + 1, null]) {
      const witnesses = [witnessOf(root), witnessOf(server, sinceTicks), ...younger.map((row) => witnessOf(row))];
      expect(look([[root, server], younger], witnesses)).toMatchObject({ sets: [{ older: [], waiting: 1 }] });
      expect(look([[root, server], younger], witnesses).roots).toEqual(new Set());
    }
  });

  test('wait where they run in another folder than the youngest, or computed since the measure', () => {
    const older = setOf(60, 2000);
    const younger = setOf(70, 4000);
    const waits = (more: Parameters<typeof witnessOf>[2]) => {
      const witnesses = [...older.map((row) => witnessOf(row, longAgo, more)), ...younger.map((row) => witnessOf(row))];
      return look([older, younger], witnesses).sets;
    };
    expect(waits({})).toMatchObject([{ waiting: 0 }]);
    expect(waits({ folder: '/other' })).toMatchObject([{ older: [], waiting: 1 }]);
    expect(waits({ environment: 'b' })).toMatchObject([{ older: [], waiting: 1 }]);
    expect(waits({ computed: { atTicks: nowTicks, cpuMs: -21 } })).toMatchObject([{ older: [], waiting: 1 }]);
  });

  test('are none where the youngest is not complete', () => {
    for (const state of ['T', 't', 'Z', 'X', '?'] as const)
      expect(look([setOf(60, 2000), setOf(70, 4000, { state })]).roots).toEqual(new Set());
    const [launcher] = setOf(70, 4000);
    expect(look([setOf(60, 2000), [launcher]]).roots).toEqual(new Set());
  });

  test('are none of what runs another command, has another host, or began in the same tick', () => {
    const other = setOf(60, 2000).map((row) => ({ ...row, argv: [...row.argv, '--other'] }));
    expect(look([other, setOf(70, 4000)]).sets).toEqual([]);
    const sets = [setOf(60, 2000), setOf(70, 4000)];
    const apart = sets
      .flat()
      .map((row, at) => ({ ...witnessOf(row), owner: { pid: at < 2 ? 50 : 51, startTicks: 1000 } }));
    expect(look(sets, apart).sets).toEqual([]);
    expect(look([setOf(60, 2000), setOf(70, 2000)]).sets).toEqual([]);
  });

  test('are none of what the host started together, as of two entries with one command', () => {
    const other = (pid: number, startTicks: number) =>
      setOf(pid, startTicks).map((row) => ({ ...row, argv: [...row.argv, '--other'] }));
    const seconds = (count: number) => 2000 + count * ticksPerSecond;
    expect(look([setOf(60, seconds(0)), setOf(70, seconds(1))]).sets).toEqual([]);
    // Its agent starts a few at a time, the next once one is connected.
    const slow = [setOf(60, seconds(0)), other(80, seconds(12)), setOf(70, seconds(24))];
    expect(look(slow).sets).toEqual([]);
    // Of one of the two entries anew: which of the older it replaces can't be told.
    const [one, two] = [setOf(90, seconds(60)), setOf(100, seconds(61))];
    expect(look([...slow, one])).toMatchObject({ roots: new Set(), sets: [{ waiting: 2 }] });
    expect(look([...slow, one, two])).toMatchObject({ roots: new Set([60, 70]), sets: [{ waiting: 0 }] });
  });

  test('never hold the youngest, whatever the sets are', () => {
    const one = fc.record({
      startTicks: fc.integer({ min: 1, max: 6 }).map((times) => times * 2000),
      state: fc.constantFrom('S' as const, 'T' as const, 'Z' as const, 'R' as const),
      quiet: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 6 }), (made) => {
        const sets = made.map(({ startTicks, state }, at) => setOf(100 + at * 10, startTicks, { state }));
        const witnesses = sets.flatMap((rows, at) =>
          rows.map((row) => witnessOf(row, made[at]?.quiet === true ? longAgo : longAgo + 1)),
        );
        const { roots } = look(sets, witnesses);
        const youngest = Math.max(...made.map(({ startTicks }) => startTicks));
        for (const [at, { startTicks, quiet }] of made.entries()) {
          if (!roots.has(asPid(100 + at * 10))) continue;
          expect(startTicks).toBeLessThan(youngest);
          expect(quiet).toBe(true);
        }
      }),
    );
  });
});
