import { describe, expect, test } from 'vitest';
import { indexLedger, type LedgerIndex } from '../../../../app/jobs/ledger/ledger-index.ts';
import type { LedgerEntry } from '../../../../app/jobs/ledger/ledger.ts';
import { asJobId } from '../../../../app/model/job.ts';
import { asBootId, asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { relationsOf } from '../../../../app/process/tree.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';

const entry = (id: string, more: Partial<LedgerEntry>): LedgerEntry =>
  remembered({ id: asJobId(id), root: { pid: 7, startTicks: 7 }, lastSeenTicks: 15_000, ...more });

/** What the ledger knows of process 90, which began at tick 20,000. */
const asked = (ledger: readonly LedgerEntry[], ...plants: readonly Plant[]) => {
  const table = machineOf([{ pid: 90, sid: 80, pgid: 70, argv: 'x', start: 200 }, ...plants]).table();
  const index = indexLedger(table, relationsOf(table.rows), ledger);
  const row = table.rows.get(asPid(90));
  if (row === undefined) throw new Error('process 90 was planted');
  const idBy = (find: keyof LedgerIndex, one: ProcessRow = row) => index[find](one)?.id ?? null;
  return { index, row, idBy };
};

const mate: Plant = { pid: 91, sid: 80, pgid: 70, argv: 'mate', start: 100 };
const members = [{ pid: 91, startTicks: 10_000 }];

describe.each([
  ['group', 'byGroup', { groups: [70] }],
  ['kernel session', 'bySession', { kernelSessions: [80] }],
] as const)('the id of a %s', (_what, find, of) => {
  test('is the job’s while one of its members lives in it', () => {
    const { idBy } = asked([entry('a', { ...of, members })], mate);
    expect(idBy(find)).toBe('a');
  });

  test('may be another’s by now where none does, also where something else lives in it', () => {
    expect(asked([entry('a', { ...of, members })]).idBy(find)).toBeNull();
    expect(asked([entry('a', { ...of, members })], { ...mate, start: 101 }).idBy(find)).toBeNull();
    expect(asked([entry('a', { ...of, members })], { ...mate, sid: 81, pgid: 71 }).idBy(find)).toBeNull();
  });

  test('is the job’s for what began no later than the look that saw it there', () => {
    expect(asked([entry('a', { ...of, lastSeenTicks: 20_000 })]).idBy(find)).toBe('a');
    expect(asked([entry('a', { ...of, lastSeenTicks: 19_999 })]).idBy(find)).toBeNull();
  });

  test('is the job’s for what began since the look before, which saw the job, if it was not given out since', () => {
    const known = (isReused: boolean, nowTicks: number) => {
      const machine = machineOf([{ pid: 90, sid: 80, pgid: 70, argv: 'x', start: 200 }]);
      const mayBeReused = (pid: number) => isReused && pid === (find === 'byGroup' ? 70 : 80);
      const table = { ...machine.table(), since: { nowTicks, mayBeReused } };
      const row = table.rows.get(asPid(90));
      return row === undefined ? null : indexLedger(table, relationsOf(table.rows), [entry('a', of)])[find](row)?.id;
    };
    expect(known(false, 15_000)).toBe('a');
    expect(known(true, 15_000)).toBeUndefined();
    // A look in between did not see it: the number was free for a while.
    expect(known(false, 15_001)).toBeUndefined();
  });

  test('that two jobs had is that one’s whose member lives in it', () => {
    const [first, second] = [entry('a', of), entry('b', { ...of, members })];
    expect(asked([first, second], mate).idBy(find)).toBe('b');
    expect(asked([second, first], mate).idBy(find)).toBe('b');
  });

  test('is not told where the job was of another boot', () => {
    expect(asked([entry('a', { ...of, members, bootId: asBootId('boot:0') })], mate).idBy(find)).toBeNull();
  });
});

test('the ids 0 and 1 hold what has nothing to do with each other', () => {
  const everywhere = entry('a', { groups: [0, 1], kernelSessions: [0, 1], members, lastSeenTicks: 99_999_999 });
  for (const id of [0, 1]) {
    const { index, row } = asked([everywhere], { ...mate, sid: id, pgid: id });
    const inside = { ...row, sid: id, pgid: id } as unknown as ProcessRow;
    expect([index.byGroup(inside), index.bySession(inside)]).toEqual([null, null]);
  }
});
