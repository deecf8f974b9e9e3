import { describe, expect, test } from 'vitest';
import { tableViewOf } from '../../../../app/jobs/lineage/table-view.ts';
import { userStartedProcesses } from '../../../../app/jobs/lineage/bystanders.ts';
import { identityKey } from '../../../../app/process/identity.ts';
import { identityOf } from '../../../../app/process/table.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { toldEvidence, toolMark, toolShell, type Told } from '../told-evidence.ts';

const mark = toolMark('claude-code', { session: 'a', pid: 34 });
const other = toolMark('codex', { session: 'c' });
const call = toolShell('claude-code', { session: 'a', pid: 34 });
const marked: Told = { claims: [mark] };
/** A program of the user that a tool call opened. */
const opened: Told = { isUserProgram: true, claims: [mark] };

/**
 * Pids of the processes that the user started. `before` were so at the scan before, `members` are
 * known to be of jobs.
 */
const userStarted = (
  plants: readonly Plant[],
  told: Readonly<Record<number, Told>>,
  {
    before = [],
    sessions = [],
    members = [],
  }: { before?: readonly number[]; sessions?: readonly number[]; members?: readonly number[] } = {},
): readonly number[] => {
  const table = machineOf(plants).table();
  const evidence = toldEvidence(told);
  const keys = new Map([...table.rows.values()].map((row) => [identityKey(identityOf(table, row)), Number(row.pid)]));
  const refs = (pids: readonly number[]) =>
    [...table.rows.values()]
      .filter(({ pid }) => pids.includes(pid))
      .map(({ pid, startTicks }) => ({ pid, startTicks }));
  const found = userStartedProcesses({
    ...tableViewOf(table, evidence, [remembered({ bootId: table.bootId, members: refs(members) })]),
    sessions: new Set(sessions),
    before: new Set([...keys].flatMap(([key, pid]) => (before.includes(pid) ? [key] : []))),
  });
  return [...found].map((key) => keys.get(key) ?? Number.NaN);
};

describe('what runs in a program that a tool call opened for the user', () => {
  const server: Plant = { pid: 200, argv: 'tmux', sid: 199 };
  const inside: Plant = { pid: 210, ppid: 200, sid: 210, argv: 'npm run dev' };
  const leader: Plant = { pid: 199, sid: 199, argv: 'bash' };

  test('is the user’s when the shell of the call has ended', () => {
    expect(userStarted([server, inside], { 200: opened, 210: marked })).toEqual([210]);
  });

  test('is a part of the call as long as its shell is there, whatever else that carries', () => {
    for (const claims of [[call], [other, call]])
      expect(userStarted([leader, server, inside], { 199: { claims }, 200: opened, 210: marked })).toEqual([]);
  });

  test('is the user’s where the session is led by something that is no tool shell', () => {
    for (const claims of [[], [mark]])
      expect(userStarted([leader, server, inside], { 199: { claims }, 200: opened, 210: marked })).toContain(210);
  });

  test('is the user’s where the program carries more marks than it, and a tool’s where it carries more itself', () => {
    const both: Told = { claims: [mark, other] };
    expect(userStarted([server, inside], { 200: { ...opened, ...both }, 210: marked })).toEqual([210]);
    expect(userStarted([server, inside], { 200: opened, 210: both })).toEqual([]);
  });

  test('is not the user’s where it is a tool shell, or known as a member of a job', () => {
    expect(userStarted([server, inside], { 200: opened, 210: { claims: [mark, call] } })).toEqual([]);
    expect(userStarted([server, inside], { 200: opened, 210: marked }, { members: [210] })).toEqual([]);
  });

  test('is not the user’s where the opened program is an agent', () => {
    expect(userStarted([server, inside], { 200: { ...opened, program: 'codex' }, 210: marked })).toEqual([]);
  });
});

describe('what the user’s own shell started without being marked itself', () => {
  const shell: Plant = { pid: 21, sid: 21, tty: 34_816, argv: 'bash' };
  const typed: Plant = { pid: 22, ppid: 21, pgid: 22, argv: 'npm run dev' };
  const told = { 21: { isUserProgram: true }, 22: marked };

  test('is the user’s in the session of that shell', () => {
    expect(userStarted([shell, typed], told)).toEqual([22]);
  });

  test('is not known to be the user’s in another session: it can have been adopted by it', () => {
    expect(userStarted([shell, { ...typed, sid: 22 }], told)).toEqual([]);
  });

  test('is not known to be the user’s in a session that the program does not lead', () => {
    expect(userStarted([{ ...shell, sid: 20 }, typed], told)).toEqual([]);
  });
});

describe('what nothing hangs above', () => {
  const server: Plant = { pid: 200, sid: 200, argv: 'tmux' };
  const loose: Plant = { pid: 210, sid: 210, argv: 'npm run dev' };
  const named: Told = { ...marked, hosts: [200] };

  test('is the user’s where it names a living program that was opened with the same marks, and a tool’s where it names none', () => {
    expect(userStarted([server, loose], { 200: opened, 210: named })).toEqual([210]);
    expect(userStarted([server, loose], { 200: opened, 210: marked })).toEqual([]);
  });

  test('is a tool’s below an agent, whatever it names', () => {
    const agent: Plant = { pid: 34, argv: 'claude' };
    const told = { 34: { program: 'claude-code' }, 200: opened, 210: named } as const;
    expect(userStarted([agent, server, { ...loose, ppid: 34 }], told)).toEqual([]);
  });
});

describe('what the user was known to have started at the scan before', () => {
  const plants: readonly Plant[] = [
    { pid: 210, sid: 210, argv: 'node bot.js' },
    { pid: 211, ppid: 210, argv: 'sh' },
    { pid: 212, ppid: 211, argv: 'node worker.js' },
    { pid: 220, sid: 220, argv: 'sleep 9' },
  ];
  const told = { 210: marked, 212: marked, 220: marked };

  test('stays the user’s, and so does what hangs below it at any depth', () => {
    expect(userStarted(plants, told, { before: [210] })).toEqual([210, 212]);
  });

  test('is not the user’s without that', () => {
    expect(userStarted(plants, told)).toEqual([]);
  });
});
