import { expect, test } from 'vitest';
import { asGroupId, asKernelSessionId, asPid, type Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { adoptersAmong, membersOf, ownIds, type RunTies } from '../../../main/run/members/membership.ts';

const row = (
  pid: number,
  ppid: number,
  more: { pgid?: number; sid?: number; startTicks?: number } = {},
): ProcessRow => ({
  pid: asPid(pid),
  ppid: asPid(ppid),
  pgid: asGroupId(more.pgid ?? pid),
  sid: asKernelSessionId(more.sid ?? pid),
  tty: 0,
  state: 'S',
  startTicks: more.startTicks ?? 1000,
  cpuMs: 0,
  rssBytes: 0,
  uid: 1000,
  comm: 'x',
  argv: ['x'],
  kernelThread: false,
});

const table = (...rows: readonly ProcessRow[]): ReadonlyMap<Pid, ProcessRow> =>
  new Map(rows.map((one) => [one.pid, one]));

const curfew = 10;
const ties: RunTies = {
  seen: new Map([[20, 1000]]),
  adopter: curfew,
  strangers: false,
  cgroup: null,
  groups: new Set(),
  sessions: new Set(),
  hasCookie: () => false,
  isAdopter: ({ pid }) => pid === 1,
  sinceTicks: 900,
  excluded: new Set([curfew, 5]),
};
const found = (rows: ReadonlyMap<Pid, ProcessRow>, with_: Partial<RunTies> = {}): readonly number[] =>
  [...membersOf(rows, { ...ties, ...with_ }).keys()].toSorted((a, b) => a - b);

test('a subreaper finds all its descendants and no other process', () => {
  const rows = table(
    row(1, 0),
    row(5, 1),
    row(curfew, 5),
    row(20, curfew),
    row(21, 20),
    row(22, curfew),
    row(23, 22),
    row(30, 1),
  );
  expect(found(rows)).toEqual([20, 21, 22, 23]);
});

test('with a subreaper a cookie, a group or a session alone proves nothing: another program started it', () => {
  const rows = table(row(1, 0), row(curfew, 1), row(30, 1, { pgid: 20, sid: 20 }));
  expect(found(rows, { hasCookie: () => true, groups: new Set([20]), sessions: new Set([20]) })).toEqual([]);
});

test('what is older than the run is no part of it, nor is what its pid was recycled for', () => {
  expect(found(table(row(curfew, 1), row(21, curfew, { startTicks: 800 })))).toEqual([]);
  expect(found(table(row(20, 1, { startTicks: 1001 })))).toEqual([]);
  expect(found(table(row(20, 1)))).toEqual([20]);
});

test('children that the adopter had before need another tie', () => {
  const rows = table(row(curfew, 1), row(21, curfew), row(22, curfew));
  expect(found(rows, { strangers: true })).toEqual([]);
  expect(found(rows, { strangers: true, hasCookie: ({ pid }) => pid === 22 })).toEqual([22]);
});

test('without a subreaper group, session, cookie and parentage count', () => {
  const rows = table(
    row(1, 0, { startTicks: 0 }),
    row(30, 1, { pgid: 20 }),
    row(31, 1, { sid: 20 }),
    row(32, 1),
    row(33, 32),
    row(40, 1),
  );
  const without = {
    adopter: null,
    groups: new Set([20]),
    sessions: new Set([20]),
    hasCookie: ({ pid }: ProcessRow) => pid === 32,
  };
  expect(found(rows, without)).toEqual([30, 31, 32, 33]);
});

test('without a subreaper a leader that was no member shows that its group and its session were empty in between', () => {
  const without = { adopter: null, groups: new Set([20, 40]), sessions: new Set([20, 40]) };
  const stranger = row(20, 1, { startTicks: 5000 });
  expect(found(table(row(1, 0), stranger, row(21, 20, { pgid: 20, sid: 20 })), without)).toEqual([]);
  expect(found(table(row(1, 0), row(20, 1), row(21, 1, { pgid: 20 }), row(41, 1, { sid: 40 })), without)).toEqual([
    20, 21, 41,
  ]);
});

test('a cookie under a living foreign parent was passed on and does not count', () => {
  const rows = table(row(1, 0, { startTicks: 0 }), row(40, 1), row(41, 40));
  expect(found(rows, { adopter: null, hasCookie: ({ pid }) => pid === 41 })).toEqual([]);
});

test('what a process with a cookie from elsewhere started is no part of the run, however deep', () => {
  // A launcher read the cookie in a `.env`: npm, its shell, and the user's own server.
  const rows = table(row(1, 0, { startTicks: 0 }), row(40, 1), row(41, 40), row(42, 41), row(43, 42));
  expect(found(rows, { adopter: null, hasCookie: ({ pid }) => pid > 40 })).toEqual([]);
});

test('the shell from which a run was started is no adopter: what it starts later is the user’s', () => {
  const shell = { ...row(5, 1, { startTicks: 0 }), comm: 'zsh' };
  const keeper = { ...row(6, 1, { startTicks: 0 }), comm: 'keeper' };
  const ancestors = [5, 6].map((pid) => ({ pid, startTicks: 0 }));
  const rows = table(row(1, 0, { startTicks: 0 }), shell, keeper, row(41, 5), row(42, 6));
  const without = { adopter: null, hasCookie: ({ pid }: ProcessRow) => pid > 40, isAdopter: adoptersAmong(ancestors) };
  expect(found(rows, without)).toEqual([42]);
});

test('Curfew, its ancestors and pid 1 are never members, whatever ties them', () => {
  const rows = table(row(1, 0), row(5, 1), row(curfew, 5));
  const all = {
    adopter: null,
    hasCookie: () => true,
    seen: new Map([
      [1, 1000],
      [5, 1000],
      [curfew, 1000],
    ]),
  };
  expect(found(rows, all)).toEqual([]);
});

test("ids are a run's own while a member led them and they are not empty, and not once they are another's", () => {
  const rows = table(row(20, curfew), row(21, 20, { pgid: 20 }));
  const members = membersOf(rows, ties);
  const own = ownIds(rows, members, new Set(), (one) => one.pgid);
  expect([...own]).toEqual([20]);
  const orphaned = table(row(21, 1, { pgid: 20 }));
  expect([...ownIds(orphaned, new Map(), own, (one) => one.pgid)]).toEqual([20]);
  const recycled = table(row(20, 1, { startTicks: 5000 }), row(25, 20, { pgid: 20 }));
  expect([...ownIds(recycled, new Map(), own, (one) => one.pgid)]).toEqual([]);
  expect([...ownIds(table(), new Map(), own, (one) => one.pgid)]).toEqual([]);
});
