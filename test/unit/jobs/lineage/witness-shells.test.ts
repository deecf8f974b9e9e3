import { describe, expect, test } from 'vitest';
import type { ShellNote } from '../../../../app/jobs/lineage/evidence.ts';
import { tableViewOf } from '../../../../app/jobs/lineage/table-view.ts';
import { descentByShells } from '../../../../app/jobs/lineage/witness-shells.ts';
import type { AgentWitness } from '../../../../app/jobs/lineage/witness.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import { shellNotesIn } from '../../../../main/agents/hooks/inbox/shell-notes.ts';
import { looked } from '../looked.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { toldEvidence } from '../told-evidence.ts';

const note: ShellNote = { pid: 80, startTicks: 20_000, parent: 34, group: 80, session: 80 };
const claude: AgentWitness = {
  kind: 'agent',
  pid: 34,
  startTicks: 10_000,
  agent: 'claude-code',
  terminal: [],
  unit: null,
  endedTicks: null,
};
/** Began 100 ms after its shell, which has ended. */
const left: Plant = { pid: 90, sid: 80, pgid: 80, argv: 'sleep 9', start: 200.1 };
const later: Plant = { ...left, start: 260 };
const shell: Plant = { pid: 80, sid: 80, pgid: 80, argv: 'bash -c x', start: 200 };

interface Asked {
  readonly notes?: readonly ShellNote[];
  readonly agents?: readonly AgentWitness[];
  readonly more?: readonly Plant[];
  readonly since?: ProcessTable['since'];
}

const descent = (plant: Plant, { notes = [note], agents = [claude], more = [], since }: Asked = {}) => {
  const plain = machineOf([plant, ...more]).table();
  const table = since === undefined ? plain : { ...plain, since };
  const evidence = { ...toldEvidence({ 85: { isUserProgram: true } }), shellNotes: () => notes };
  const row = table.rows.get(asPid(plant.pid));
  if (row === undefined) throw new Error('It was planted.');
  return descentByShells(tableViewOf(table, evidence), agents)(row)?.proof ?? null;
};
const proved = { kind: 'agent-word', agent: 'claude-code', process: { pid: 80, startTicks: 20_000 } };

describe('what a tool shell noted of itself', () => {
  test('proves the shell, and what began in its session in the same moment', () => {
    expect(descent(shell)).toMatchObject(proved);
    expect(descent(left)).toMatchObject(proved);
  });

  test('proves what began later while the shell lives', () => {
    expect(descent(later, { more: [shell] })).toMatchObject(proved);
    expect(descent(later)).toBeNull();
  });

  test('proves what began later, where both began since the look before and no number was given out twice', () => {
    const since = (nowTicks: number, wrapped: boolean) => ({ nowTicks, mayBeReused: () => wrapped });
    expect(descent(later, { since: since(19_999, false) })).toMatchObject(proved);
    expect(descent(later, { since: since(20_000, false) })).toBeNull();
    expect(descent(later, { since: since(19_999, true) })).toBeNull();
  });

  test('proves nothing of another session or group, of what is older, or of what has a terminal', () => {
    expect(descent({ ...left, sid: 90 })).toBeNull();
    expect(descent({ ...left, start: 199 })).toBeNull();
    expect(descent({ ...left, tty: 34_816 })).toBeNull();
  });

  test('proves nothing beside a program of the user in its session, which may have started it', () => {
    const browser: Plant = { pid: 85, sid: 80, pgid: 80, argv: 'firefox', start: 200.05 };
    expect(descent(left, { more: [shell] })).toMatchObject(proved);
    expect(descent(left, { more: [shell, browser] })).toBeNull();
    expect(descent(browser, { more: [shell] })).toBeNull();
  });

  test('proves nothing where another process has the number of the shell by now', () => {
    const other = { ...note, startTicks: 25_900 };
    expect(descent(later, { notes: [note], more: [{ ...shell, start: 259 }] })).toBeNull();
    expect(descent(later, { notes: [note, other], more: [{ ...shell, start: 259 }] })).toMatchObject({
      process: { pid: 80, startTicks: 25_900 },
    });
  });

  test('proves nothing without an agent that a look saw as its parent, alive at that moment', () => {
    expect(descent(left, { agents: [] })).toBeNull();
    expect(descent(left, { agents: [{ ...claude, pid: 35 }] })).toBeNull();
    expect(descent(left, { agents: [{ ...claude, startTicks: 20_001 }] })).toBeNull();
    expect(descent(left, { agents: [{ ...claude, endedTicks: 19_999 }] })).toBeNull();
    expect(descent(left, { agents: [{ ...claude, endedTicks: 20_001 }] })).toMatchObject(proved);
  });

  test('counts only from a shell that leads its group and session, as tool shells do', () => {
    expect(descent(left, { notes: [{ ...note, group: 79 }] })).toBeNull();
    expect(descent({ ...left, sid: 70 }, { notes: [{ ...note, session: 70 }] })).toBeNull();
  });
});

test('lines of another form are no notes', () => {
  expect(shellNotesIn('80 34 80 80 20000\n')).toEqual([note]);
  const lines = ['', '80 34 80 80', '80 34 80 80 x', '80 34 80 80 1 2', '-1 34 80 80 1', `${'9'.repeat(11)} 1 1 1 1`];
  expect(shellNotesIn(lines.join('\n'))).toEqual([]);
});

describe('a child without marks that a hook noted', () => {
  const kimi: AgentWitness = { ...claude, agent: 'kimi' };
  const found = (...plants: readonly Plant[]) =>
    looked(plants, { told: { 34: { program: 'kimi' } }, witnesses: [kimi], notes: [note] }).drafts.map(
      ({ root, proof, owner }) => [Number(root.pid), proof.kind, owner.state],
    );

  test('is found when its agent has ended, and its owner is gone', () => {
    expect(found(shell, { ...left, ppid: 80 })).toEqual([[80, 'agent-word', 'gone']]);
  });

  test('is not taken for a command while its agent lives: it may be a server', () => {
    const agent: Plant = { pid: 34, argv: 'kimi-code', start: 100 };
    expect(found(agent, { ...shell, ppid: 34 })).toEqual([]);
    // What let itself go is another process than the one that was noted.
    expect(found(agent, { ...shell, ppid: 34 }, left)).toEqual([]);
  });

  test('is not taken for the one that was noted where it only has its number', () => {
    expect(found({ ...shell, start: 201 })).toEqual([]);
  });
});
