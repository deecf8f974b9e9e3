import { expect, test } from 'vitest';
import { isOver, type SparedFact } from '../../../app/jobs/spared/spared.ts';
import { asJobId } from '../../../app/model/job.ts';
import { fakeMachine } from '../agents/fake-table.ts';

const machine = fakeMachine([
  { pid: 40, argv: ['sh'], startTicks: 1000 },
  { pid: 41, argv: ['sh'], startTicks: 2000, state: 'Z' },
]).table;

const carried = (pid: number, startTicks: number): SparedFact => ({ kind: 'carried', pid, startTicks, image: null });
const user = (pid: number, startTicks: number, sid: number): SparedFact => ({ kind: 'user', pid, startTicks, sid });

test.each<[string, SparedFact, boolean]>([
  ['a process that lives', carried(40, 1000), false],
  ['one whose pid is another’s now', carried(40, 900), true],
  ['one that is not there', carried(99, 900), true],
  ['one that has ended and was not waited for', carried(41, 2000), true],
  ['the user’s, of whose kernel session something lives', user(99, 900, 40), false],
  ['the user’s, of whose kernel session nothing lives', user(99, 900, 41), true],
  ['a doubtful one of a living session', { kind: 'doubtful', pid: 99, startTicks: 900, sid: 40 }, false],
  ['what the user keeps', { kind: 'keep', job: asJobId('1a2b3c4d'), keep: null }, false],
  ['what the user said', { kind: 'mine', job: asJobId('1a2b3c4d'), mine: true, pid: 99, startTicks: 900 }, false],
  ['the loss of the ledger', { kind: 'lost' }, false],
])('what spares %s is over only once nothing needs it', (_, fact, over) => {
  expect(isOver(machine)(fact)).toBe(over);
  expect(isOver({ ...machine, complete: false })(fact)).toBe(false);
});
