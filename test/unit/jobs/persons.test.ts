import { describe, expect, test } from 'vitest';
import { originsOf } from '../../../app/jobs/lineage/profile.ts';
import { personsOf } from '../../../app/jobs/lineage/user-started.ts';
import { identityKey } from '../../../app/process/identity.ts';
import { identityOf } from '../../../app/process/table.ts';
import { processTree } from '../../../app/process/tree.ts';
import { machineOf } from './machine.ts';
import type { Plant } from './plant.ts';
import { toldEvidence, toolMark, toolShell, type Told } from './told-evidence.ts';

const mark = toolMark('claude-code', { session: 'a', pid: 34 });
const other = toolMark('codex', { session: 'c' });
const call = toolShell('claude-code', { session: 'a', pid: 34 });
const marked: Told = { claims: [mark] };
/** A program for a person that a tool call opened. */
const opened: Told = { personal: true, claims: [mark] };

/** Which processes are a person's, by pid; `before` were it at the look before, `members` are known to be of jobs. */
const persons = (
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
  const found = personsOf({
    table,
    tree: processTree(table.rows),
    originOf: originsOf(table, evidence),
    evidence,
    sessions: new Set(sessions),
    before: new Set([...keys].flatMap(([key, pid]) => (before.includes(pid) ? [key] : []))),
    isMember: ({ pid }) => members.includes(pid),
  });
  return [...found].map((key) => keys.get(key) ?? Number.NaN);
};

describe('what runs in a program that a tool call opened for a person', () => {
  const server: Plant = { pid: 200, argv: 'tmux', sid: 199 };
  const inside: Plant = { pid: 210, ppid: 200, sid: 210, argv: 'npm run dev' };
  const leader: Plant = { pid: 199, sid: 199, argv: 'bash' };

  test('is theirs when the shell of the call has ended', () => {
    expect(persons([server, inside], { 200: opened, 210: marked })).toEqual([210]);
  });

  test('is a part of the call as long as its shell is there, whatever else that carries', () => {
    for (const claims of [[call], [other, call]])
      expect(persons([leader, server, inside], { 199: { claims }, 200: opened, 210: marked })).toEqual([]);
  });

  test('is theirs where the session is led by something that is no tool shell', () => {
    for (const claims of [[], [mark]])
      expect(persons([leader, server, inside], { 199: { claims }, 200: opened, 210: marked })).toContain(210);
  });

  test('is theirs where the program carries more marks than it, and a tool’s where it carries more itself', () => {
    const both: Told = { claims: [mark, other] };
    expect(persons([server, inside], { 200: { ...opened, ...both }, 210: marked })).toEqual([210]);
    expect(persons([server, inside], { 200: opened, 210: both })).toEqual([]);
  });

  test('is no person’s where it is a tool shell, or known as a member of a job', () => {
    expect(persons([server, inside], { 200: opened, 210: { claims: [mark, call] } })).toEqual([]);
    expect(persons([server, inside], { 200: opened, 210: marked }, { members: [210] })).toEqual([]);
  });

  test('is no person’s by that where an agent was opened and not a person’s program', () => {
    expect(persons([server, inside], { 200: { ...opened, program: 'codex' }, 210: marked })).toEqual([]);
  });
});

describe('what a person’s own shell handed on without having been marked itself', () => {
  const shell: Plant = { pid: 21, sid: 21, tty: 34_816, argv: 'bash' };
  const typed: Plant = { pid: 22, ppid: 21, pgid: 22, argv: 'npm run dev' };
  const told = { 21: { personal: true }, 22: marked };

  test('is theirs in the session of that shell', () => {
    expect(persons([shell, typed], told)).toEqual([22]);
  });

  test('is not known to be theirs in another session: it can have been adopted by it', () => {
    expect(persons([shell, { ...typed, sid: 22 }], told)).toEqual([]);
  });

  test('is not known to be theirs in a session that the program does not lead', () => {
    expect(persons([{ ...shell, sid: 20 }, typed], told)).toEqual([]);
  });
});

describe('what nothing hangs above', () => {
  const server: Plant = { pid: 200, sid: 200, argv: 'tmux' };
  const loose: Plant = { pid: 210, sid: 210, argv: 'npm run dev' };
  const named: Told = { ...marked, hosts: [200] };

  test('is theirs where it names a living program that was opened with the same marks, and a tool’s where it names none', () => {
    expect(persons([server, loose], { 200: opened, 210: named })).toEqual([210]);
    expect(persons([server, loose], { 200: opened, 210: marked })).toEqual([]);
  });

  test('is a tool’s below an agent, whatever it names', () => {
    const agent: Plant = { pid: 34, argv: 'claude' };
    const told = { 34: { program: 'claude-code' }, 200: opened, 210: named } as const;
    expect(persons([agent, server, { ...loose, ppid: 34 }], told)).toEqual([]);
  });
});

describe('whatever was a person’s at the look before', () => {
  const plants: readonly Plant[] = [
    { pid: 210, sid: 210, argv: 'node bot.js' },
    { pid: 211, ppid: 210, argv: 'sh' },
    { pid: 212, ppid: 211, argv: 'node worker.js' },
    { pid: 220, sid: 220, argv: 'sleep 9' },
  ];
  const told = { 210: marked, 212: marked, 220: marked };

  test('stays so, and what hangs below it is theirs too, at any depth', () => {
    expect(persons(plants, told, { before: [210] })).toEqual([210, 212]);
  });

  test('and without that it is none', () => {
    expect(persons(plants, told)).toEqual([]);
  });
});
