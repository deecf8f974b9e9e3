import { expect, test } from 'vitest';
import type { MemberFacts } from '../../../app/process/facts.ts';
import { type IdentityKey, asBootId, asPid, identityKey } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { FreedAccount, recordedProcess, type HeldMember } from '../../../main/reaping/freed.ts';
import { machineOf } from '../jobs/machine.ts';

const machine = machineOf([
  { pid: 69, argv: 'node server.js' },
  { pid: 70, ppid: 69, argv: 'node worker.js' },
]);

const rowOf = (pid: number, more: Partial<ProcessRow> = {}): ProcessRow => {
  const row = machine.source.read(asPid(pid));
  if (row === null) throw new Error(`there is no process ${pid}`);
  return { ...row, ...more };
};

const keyOf = (pid: number): IdentityKey => identityKey({ bootId: asBootId('boot'), pid: asPid(pid), startTicks: 1 });

const holding = (pid: number, more: Partial<MemberFacts>): MemberFacts => {
  const facts = machine.source.facts([rowOf(pid)]).get(pid);
  if (facts === undefined) throw new Error(`there are no facts of ${pid}`);
  return { ...facts, ...more };
};

const isDead =
  (...pids: readonly number[]) =>
  (key: IdentityKey): boolean =>
    pids.some((pid) => keyOf(pid) === key);

test('a port or a lock is free only when every process that held it is dead', () => {
  const account = new FreedAccount();
  account.note([
    { key: keyOf(69), row: rowOf(69), facts: holding(69, { ports: [3000, 4000], locks: ['/a', '/b'] }) },
    { key: keyOf(70), row: rowOf(70), facts: holding(70, { ports: [3000], locks: ['/a'] }) },
  ]);
  expect(account.freedBy(isDead(69))).toMatchObject({ processes: 1, ports: [4000], locks: ['/b'] });
  expect(account.freedBy(isDead(69, 70))).toMatchObject({ processes: 2, ports: [3000, 4000], locks: ['/a', '/b'] });
  expect(account.freedBy(isDead())).toEqual({ processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] });
});

test('a port on which a process listens that was never held, to which the socket was handed on, is not free', () => {
  const account = new FreedAccount();
  account.note([{ key: keyOf(69), row: rowOf(69), facts: holding(69, { ports: [3000, 4000] }) }]);
  expect(account.freedBy(isDead(69), () => new Set([4000, 5000]))).toMatchObject({ processes: 1, ports: [3000] });
});

test('memory counts as it was before it was given back bit by bit, and what could not be read again is what was known', () => {
  const account = new FreedAccount();
  account.note([{ key: keyOf(69), row: rowOf(69, { rssBytes: 1000 }), facts: holding(69, { ports: [3000] }) }]);
  account.note([{ key: keyOf(69), row: rowOf(69, { rssBytes: 10 }), facts: undefined }]);
  expect(account.freedBy(isDead(69))).toMatchObject({ rssBytes: 1000, ports: [3000] });
});

test('a loop frees what lived at one look, and says how many more came and went', () => {
  const account = new FreedAccount();
  const loop = { key: keyOf(69), row: rowOf(69, { rssBytes: 3_000_000 }), facts: undefined };
  const round = (pid: number): HeldMember => ({
    key: keyOf(pid),
    row: rowOf(70, { pid: asPid(pid), rssBytes: 1_800_000 }),
    facts: undefined,
  });
  const pids = [101, 102, 103, 104, 105, 106, 107, 108, 109];
  for (const pid of pids) account.note([loop, round(pid)]);
  expect(account.freedBy(() => true)).toMatchObject({ processes: 2, rssBytes: 4_800_000, cameAndWent: 8 });
  // What survives at the look with the most was not freed.
  expect(account.freedBy((key) => key !== keyOf(69))).toMatchObject({ processes: 1, rssBytes: 1_800_000 });
});

test('memory that processes share is freed once', () => {
  const read: number[][] = [];
  const account = new FreedAccount((pids) => {
    read.push([...pids]);
    return new Map([[69, { pssBytes: 60 }]]);
  });
  const forks = (first: number, second: number): readonly HeldMember[] => [
    { key: keyOf(69), row: rowOf(69, { rssBytes: first }), facts: undefined },
    { key: keyOf(70), row: rowOf(70, { rssBytes: second }), facts: undefined },
  ];
  account.note(forks(100, 40));
  account.note(forks(50, 40));
  expect(account.freedBy(() => true)).toMatchObject({ processes: 2, rssBytes: 100 });
  expect(read).toEqual([[69, 70]]);
});

test('the shares of so many processes are read, however many come and go', () => {
  const read: number[] = [];
  const account = new FreedAccount((pids) => {
    read.push(...pids);
    return new Map(pids.map((pid) => [pid, { pssBytes: 1 }]));
  });
  const many = Array.from({ length: 100 }, (_, index): HeldMember => ({
    key: keyOf(1000 + index),
    row: rowOf(70, { pid: asPid(1000 + index), rssBytes: 10 }),
    facts: undefined,
  }));
  account.note(many.slice(0, 50));
  account.note(many);
  account.note(many);
  expect(read).toEqual(many.slice(0, 64).map(({ row }) => row.pid));
  expect(account.freedBy(() => true)).toMatchObject({ processes: 100, rssBytes: 64 + 36 * 10 });
});

test('a record shows no secret, and a name where there is no command line', () => {
  const secret = 'sk-ant-api03-ThisIsNotARealKeyButItLooksLikeOne0123456789';
  expect(recordedProcess(rowOf(69, { argv: ['curl', '-H', `x-api-key: ${secret}`] })).args).not.toContain(secret);
  expect(recordedProcess(rowOf(69, { argv: [], comm: 'node' })).args).toBe('[node]');
});
