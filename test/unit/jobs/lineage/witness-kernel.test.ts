import { describe, expect, test } from 'vitest';
import { asCallGroupKey } from '../../../../app/agents/common/call-group.ts';
import { callGroupWitnesses } from '../../../../app/jobs/lineage/witness-kernel.ts';
import type { AgentWitness, DaemonWitness, OpenedWitness, Witness } from '../../../../app/jobs/lineage/witness.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { looked } from '../looked.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { toldEvidence, toolMark, type Told } from '../told-evidence.ts';

const own = { memory: '/user/me' };
const inGroup = { memory: '/user/me/claude-code-bash' };
const group = asCallGroupKey('memory:/user/me/claude-code-bash');
const claude: AgentWitness = {
  kind: 'agent',
  pid: 34,
  startTicks: 10_000,
  agent: 'claude-code',
  terminal: [],
  unit: null,
  callGroup: group,
  endedTicks: null,
};
const left: Plant = { pid: 90, argv: 'node server.js', start: 200 };

const rowOf = (plant: Plant): ProcessRow => {
  const row = machineOf([plant]).table().rows.get(asPid(plant.pid));
  if (row === undefined) throw new Error('It was planted.');
  return row;
};
const witnessed = (
  told: Readonly<Record<number, Told>>,
  agents: readonly AgentWitness[] = [claude],
  opened: readonly OpenedWitness[] = [],
  plant: Plant = left,
) => callGroupWitnesses(toldEvidence(told), agents, opened)(rowOf(plant));

describe('a process in the group of tool calls', () => {
  test('descends from the agent that gives it, without any mark', () => {
    expect(witnessed({ 90: { groups: inGroup } })).toEqual({ agent: 'claude-code', group, makers: [claude] });
  });

  test('descends from that agent also when a look saw it and it has ended since', () => {
    const ended = { ...claude, endedTicks: 15_000 };
    expect(witnessed({ 90: { groups: inGroup } }, [ended])?.makers).toEqual([ended]);
  });

  test('may be of any agent of the same parent group that began before it', () => {
    const second = { ...claude, pid: 35, startTicks: 12_000 };
    const later = { ...claude, pid: 36, startTicks: 30_000 };
    expect(witnessed({ 90: { groups: inGroup } }, [claude, second, later])?.makers).toEqual([claude, second]);
  });

  test('that is older than every agent was started by none', () => {
    expect(witnessed({ 90: { groups: inGroup } }, [{ ...claude, startTicks: 20_001 }])).toBeNull();
    expect(witnessed({ 90: { groups: inGroup } }, [{ ...claude, startTicks: 20_000 }])).not.toBeNull();
  });
});

describe('a group of that name proves nothing', () => {
  test('where no agent was seen that gives it', () => {
    expect(witnessed({ 90: { groups: inGroup } }, [])).toBeNull();
    expect(witnessed({ 90: { groups: { memory: '/user/you/claude-code-bash' } } })).toBeNull();
    expect(witnessed({ 90: { groups: { memory: '/claude-code-bash' } } })).toBeNull();
  });

  test('where the agent that gives it is of a kind that gives none', () => {
    expect(witnessed({ 90: { groups: inGroup } }, [{ ...claude, agent: 'codex' }])).toBeNull();
  });

  test('of a process outside it, or of which the groups can’t be read', () => {
    expect(witnessed({ 90: { groups: own } })).toBeNull();
    expect(witnessed({ 90: {} })).toBeNull();
  });

  test('of what began while a program of the user was in it', () => {
    const tmux = (startTicks: number, endedTicks: number | null): OpenedWitness => ({
      kind: 'opened',
      pid: 60,
      startTicks,
      claims: [],
      callGroup: group,
      endedTicks,
    });
    const of = (one: OpenedWitness) => witnessed({ 90: { groups: inGroup } }, [claude], [one]);
    expect(of(tmux(20_000, null))).toBeNull();
    expect(of(tmux(15_000, 20_000))).toBeNull();
    expect(of(tmux(20_001, null))).not.toBeNull();
    expect(of(tmux(15_000, 19_999))).not.toBeNull();
    expect(of({ ...tmux(15_000, null), callGroup: asCallGroupKey('memory:/other/claude-code-bash') })).not.toBeNull();
  });
});

describe('a look', () => {
  const agent: Plant = { pid: 34, argv: 'claude', start: 100 };
  const told = (more: Readonly<Record<number, Told>> = {}) => ({
    34: { program: 'claude-code', groups: own } as const,
    ...more,
  });
  const agentsIn = (witnesses: readonly Witness[]) => witnesses.filter(({ kind }) => kind === 'agent');

  test('notes which group an agent gives, also of one that an earlier version noted', () => {
    expect(agentsIn(looked([agent], { told: told() }).witnesses)).toEqual([claude]);
    const { callGroup: _, ...before } = claude;
    expect(agentsIn(looked([agent], { told: told(), witnesses: [before] }).witnesses)).toEqual([claude]);
  });

  test('keeps the group of an agent that has ended', () => {
    const [seen] = agentsIn(looked([], { told: {}, witnesses: [claude] }).witnesses);
    expect(seen).toMatchObject({ callGroup: group });
    expect(seen).not.toMatchObject({ endedTicks: null });
  });

  test('notes a program of the user that is in the group, with marks or without', () => {
    const tmux: Plant = { pid: 60, argv: 'tmux new -d', start: 150 };
    const opened = { opensPrograms: true, isUserProgram: true, groups: inGroup } as const;
    const seen = (one: Told) =>
      looked([agent, tmux], { told: told({ 60: one }) }).witnesses.filter(({ kind }) => kind === 'opened');
    expect(seen(opened)).toMatchObject([{ pid: 60, callGroup: group, claims: [] }]);
    expect(seen({ ...opened, claims: [toolMark('claude-code')] })).toMatchObject([{ pid: 60, callGroup: group }]);
    expect(seen({ ...opened, groups: own })).toEqual([]);
  });
});

describe('what is left in the group of tool calls', () => {
  const agent: Plant = { pid: 34, argv: 'claude', start: 100 };
  const ended = { ...claude, endedTicks: 9_999_500 };
  const mark = toolMark('claude-code', { pid: 34, session: 'a' });
  const jobOf = (
    one: Told,
    {
      witnesses = [ended],
      plants = [],
      more = {},
      told = {},
    }: {
      witnesses?: readonly Witness[];
      plants?: readonly Plant[];
      more?: Partial<Plant>;
      told?: Readonly<Record<number, Told>>;
    } = {},
  ) =>
    looked([...plants, { ...left, start: 99_991, ...more }], {
      told: { ...told, 90: one },
      witnesses,
    }).drafts[0];
  const living = {
    plants: [agent],
    told: { 34: { program: 'claude-code', groups: own } as const },
    witnesses: [claude],
  };
  const proved = { kind: 'kernel', agent: 'claude-code', process: { pid: 34, startTicks: 10_000 } };

  test('is proved where marks alone would claim it, and its session has ended with its agent', () => {
    expect(jobOf({ claims: [mark] })).toMatchObject({ proof: { kind: 'claimed' }, owner: { state: 'gone' } });
    expect(jobOf({ claims: [mark], groups: inGroup })).toMatchObject({ proof: proved, owner: { state: 'gone' } });
  });

  test('is found without any mark', () => {
    expect(jobOf({ groups: inGroup })).toMatchObject({ agent: 'claude-code', proof: proved, owner: { state: 'gone' } });
    expect(jobOf({ groups: inGroup }, living)).toMatchObject({ proof: proved, owner: { state: 'live' } });
    expect(jobOf({ groups: own })).toBeUndefined();
    expect(jobOf({ groups: { memory: '/user/you/claude-code-bash' } })).toBeUndefined();
  });

  test('has an unknown owner while another agent of the same parent group lives', () => {
    const other: AgentWitness = { ...claude, pid: 35 };
    const beside = {
      plants: [{ ...agent, pid: 35 }],
      told: { 35: { program: 'claude-code', groups: own } as const },
      witnesses: [ended, other],
    };
    expect(jobOf({ claims: [mark], groups: inGroup }, beside)).toMatchObject({
      proof: { kind: 'kernel', process: null },
      owner: { state: 'unknown' },
    });
    expect(jobOf({ groups: inGroup }, beside)).toMatchObject({ owner: { state: 'unknown' } });
  });

  test('is only claimed in a terminal of its own, and where its environment names one', () => {
    const marked = { claims: [mark], groups: inGroup } as const;
    expect(jobOf(marked, { more: { tty: 34_816, sid: 90 } })?.proof).toEqual({ kind: 'claimed' });
    expect(jobOf({ ...marked, surroundings: { terminal: ['TMUX=/tmp/x'] } })?.proof).toEqual({ kind: 'claimed' });
    const inSame = { ...ended, terminal: ['TMUX=/tmp/x'] };
    const same = jobOf({ ...marked, surroundings: { terminal: ['TMUX=/tmp/x'] } }, { witnesses: [inSame] });
    expect(same).toMatchObject({ proof: proved });
  });

  test('is doubted where a daemon that a look saw was in the group when it began, also one that has ended', () => {
    const daemon: DaemonWitness = {
      kind: 'daemon',
      pid: 70,
      startTicks: 9_990_000,
      sid: 70,
      callGroup: group,
      endedTicks: 9_999_100,
    };
    const of = (one: DaemonWitness, plants: readonly Plant[] = []) =>
      jobOf({ claims: [mark], groups: inGroup }, { witnesses: [ended, one], plants })?.proof.kind;
    expect(of(daemon)).toBe('claimed');
    // As the look notes it that sees it no more.
    expect(of({ ...daemon, endedTicks: null })).toBe('claimed');
    expect(of({ ...daemon, endedTicks: 9_999_099 })).toBe('kernel');
    expect(of({ ...daemon, startTicks: 9_999_101 })).toBe('kernel');
    expect(of({ ...daemon, callGroup: asCallGroupKey('memory:/other/claude-code-bash') })).toBe('kernel');
    // A session is only ever inherited: this is the daemon's own.
    expect(of({ ...daemon, sid: 90 })).toBe('kernel');
  });

  test('is noted as a daemon where it could be asked, until it has ended', () => {
    const busy = { ...left, start: 99_991 };
    const daemonsIn = (plants: readonly Plant[], told: Readonly<Record<number, Told>>, before: readonly Witness[]) =>
      looked(plants, { told, witnesses: before }).witnesses.filter(({ kind }) => kind === 'daemon');
    const seen = daemonsIn([busy], { 90: { groups: inGroup } }, [ended]);
    expect(seen).toMatchObject([{ pid: 90, sid: 90, callGroup: group, endedTicks: null }]);
    expect(daemonsIn([], {}, [ended, ...seen])).toMatchObject([{ pid: 90, endedTicks: 10_000_000 }]);
    expect(daemonsIn([busy], { 90: { groups: inGroup, surroundings: { deaf: true } } }, [ended])).toEqual([]);
    expect(daemonsIn([busy], { 90: { groups: own } }, [ended])).toEqual([]);
  });
});
