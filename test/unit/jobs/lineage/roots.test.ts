import { describe, expect, test } from 'vitest';
import { signatureOf } from '../../../../app/agents/signatures.ts';
import type { LedgerEntry } from '../../../../app/jobs/ledger/ledger.ts';
import type { Evidence } from '../../../../app/jobs/lineage/evidence.ts';
import { tableViewOf } from '../../../../app/jobs/lineage/table-view.ts';
import type { RootProof } from '../../../../app/jobs/lineage/root.ts';
import { findingRoots } from '../../../../app/jobs/find/find-roots.ts';
import type { StandardEnd } from '../../../../app/process/channels.ts';
import { machineOf } from '../machine.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { toldEvidence, toolMark, toolShell, type Told } from '../told-evidence.ts';
import { drain } from '../../../../app/process/steps.ts';

interface More {
  readonly ledger?: readonly LedgerEntry[];
  readonly toolShells?: 'child-session' | 'child';
  /** No agent has a signature. */
  readonly unsigned?: boolean;
  readonly userStarted?: readonly number[];
  /** The standard input of each process, and how scripts of calls begin; null: can't be seen. */
  readonly closed?: { readonly script: RegExp; readonly input: StandardEnd | null };
}

const pipe: StandardEnd = { kind: 'pipe', far: 'open' };

const withInput = (said: Evidence, { script, input }: NonNullable<More['closed']>): Evidence => ({
  ...said,
  signature: (agent) => ({ toolShells: 'none', plainCalls: 'none', ...said.signature(agent), callScript: script }),
  channels: () => ({
    of: (pid) => {
      const seen = said.channels?.().of(pid) ?? { held: [], listens: [], complete: true };
      return input === null ? null : { ...seen, standard: [input, pipe, pipe] };
    },
    ends: (pid) => said.channels?.().ends(pid) ?? null,
    ownEnds: (pid) => said.channels?.().ownEnds(pid) ?? null,
  }),
});

/** What proves each root of a table, by pid. */
const proofs = (plants: readonly Plant[], told: Readonly<Record<number, Told>>, more: More = {}) => {
  const table = machineOf(plants).table();
  const said = toldEvidence(told, more.toolShells);
  const signed = more.unsigned === true ? { ...said, signature: () => null } : said;
  const evidence = more.closed === undefined ? signed : withInput(signed, more.closed);
  const found = drain(
    findingRoots(tableViewOf(table, evidence, more.ledger), ({ pid }) => more.userStarted?.includes(pid) === true),
  );
  return new Map<number, RootProof>(found.map(({ row, proof }) => [row.pid, proof]));
};
/** The kind of each proof. */
const kinds = (...of: Parameters<typeof proofs>) =>
  Object.fromEntries([...proofs(...of)].map(([pid, { kind }]) => [pid, kind]));

const path = '/tmp/claude-1000/-home-me-shop/a/tasks/b1.output';
const writes: Told = { output: path };
const loose: Plant = { pid: 81, argv: 'node server.js', start: 80 };
const stranger: Plant = { pid: 20, argv: 'something', start: 10 };
const agent: Plant = { pid: 34, argv: 'claude', start: 50 };

describe('a process that nothing gives away but its output file', () => {
  test('is a root where an adopter is its parent, or no parent is shown', () => {
    expect(kinds([loose], { 81: writes })).toEqual({ 81: 'output' });
    expect(kinds([{ ...loose, ppid: 4444 }], { 81: writes })).toEqual({ 81: 'output' });
  });

  test.each<[string, readonly Plant[]]>([
    ['has a terminal', [{ ...loose, tty: 34_816 }]],
    ['has a parent', [stranger, { ...loose, ppid: 20 }]],
    ['has ended', [{ ...loose, state: 'Z' }]],
    ['is another user’s', [{ ...loose, uid: 1001 }]],
    ['is the kernel’s', [{ ...loose, kernelThread: true }]],
  ])('is none where it %s', (_what, plants) => {
    expect(kinds(plants, { 81: writes })).toEqual({});
  });

  test('is none where it is the user’s, or the first process', () => {
    expect(kinds([loose], { 81: writes }, { userStarted: [81] })).toEqual({});
    expect(kinds([{ pid: 1, ppid: 0, argv: '/sbin/init' }], { 1: writes })).toEqual({});
  });
});

describe('a process that the ledger remembers', () => {
  const shell: Plant = { pid: 80, argv: 'sh', start: 70 };
  const below: Plant = { ...loose, ppid: 80 };
  const marks = { 34: { pid: 34, startTicks: 5000 }, 80: { pid: 80, startTicks: 7000 } };
  const ofJob = (...members: LedgerEntry['members']): More => ({
    ledger: [remembered({ members: [{ pid: 81, startTicks: 8000 }, ...members], lastSeenTicks: 7500 })],
  });

  test('is a root by itself, and none where it hangs on another member of the job', () => {
    expect(kinds([shell, below], {}, ofJob())).toEqual({ 81: 'ledger' });
    expect(kinds([shell, below], {}, ofJob(marks[80]))).toEqual({ 80: 'ledger' });
  });

  test('is a root below an agent, and none where that agent is itself inside the job', () => {
    const isAgent = { 34: { program: 'claude-code' } } as const;
    expect(kinds([agent, { ...loose, ppid: 34 }], isAgent, ofJob())).toEqual({ 81: 'ledger' });
    expect(kinds([agent, { ...loose, ppid: 34 }], isAgent, ofJob(marks[34]))).toEqual({});
  });

  test('is a root by the group or the kernel session of the job alone, where it was there at the latest look and hangs on nothing', () => {
    const grouped: More = { ledger: [remembered({ groups: [79], lastSeenTicks: 9000 })] };
    const inSession: More = { ledger: [remembered({ kernelSessions: [79], lastSeenTicks: 9000 })] };
    const plant: Plant = { ...loose, pgid: 79, sid: 78 };
    expect(proofs([plant], {}, grouped).get(81)).toEqual({ kind: 'ledger', entry: grouped.ledger?.[0] });
    expect(kinds([{ ...plant, sid: 79, pgid: 77 }], {}, inSession)).toEqual({ 81: 'ledger' });
    expect(kinds([stranger, { ...plant, ppid: 20 }], {}, grouped)).toEqual({});
  });
});

describe('a process that the user’s own rule describes', () => {
  const ruled: Told = { rule: 'servers' };

  test('is a root, also where no parent is shown, and below an agent', () => {
    expect(kinds([stranger, { ...loose, ppid: 20 }], { 81: ruled })).toEqual({ 81: 'rule' });
    expect(kinds([{ ...loose, ppid: 4444 }], { 81: ruled })).toEqual({ 81: 'rule' });
    const both: Told = { isUserProgram: true, program: 'claude-code' };
    expect(kinds([agent, { ...loose, ppid: 34 }], { 34: both, 81: ruled })).toEqual({ 81: 'rule' });
  });

  test('is none where the user’s program started it, nor below another root', () => {
    expect(kinds([stranger, { ...loose, ppid: 20 }], { 20: { isUserProgram: true }, 81: ruled })).toEqual({});
    const shell: Plant = { pid: 80, argv: 'sh', start: 70 };
    const told = { 80: { claims: [toolShell('codex')] }, 81: ruled };
    expect(kinds([shell, { ...loose, ppid: 80 }], told)).toEqual({ 80: 'claim' });
  });
});

describe('a plain shell is a root by its parent', () => {
  const shell: Plant = { pid: 80, ppid: 34, argv: ['sh', '-c', 'make'], start: 70 };
  const isAgent = { 34: { program: 'aider' }, 80: { readBy: 34 } } as const;

  test('where that is an agent whose commands carry no other sign', () => {
    expect(kinds([agent, shell], isAgent, { toolShells: 'child' })).toEqual({ 80: 'parent' });
  });

  test('and not where its output is not read by it: a shell that became the agent may have started it', () => {
    const told = (readBy: number | null): Readonly<Record<number, Told>> => ({
      34: { program: 'aider' },
      80: readBy === null ? {} : { readBy },
    });
    for (const readBy of [20, null])
      expect(kinds([stranger, agent, shell], told(readBy), { toolShells: 'child' })).toEqual({});
    const handed = { 34: { program: 'aider' }, 80: { readBy: 34, handed: true } } as const;
    expect(kinds([agent, shell], handed, { toolShells: 'child' })).toEqual({});
    const apart: Plant = { ...shell, sid: 80, tty: 34_820 };
    expect(kinds([agent, apart], told(null), { toolShells: 'child' })).toEqual({ 80: 'parent' });
  });

  test('and not where that is a stranger, another agent, or one without a signature', () => {
    expect(kinds([agent, shell], {}, { toolShells: 'child' })).toEqual({});
    expect(kinds([agent, shell], isAgent, { toolShells: 'child-session' })).toEqual({});
    expect(kinds([agent, shell], isAgent, { unsigned: true })).toEqual({});
  });
});

describe('a shell whose script begins as those of an agent that marks nothing', () => {
  const { callScript: script = /^$/ } = signatureOf('kimi');
  const told = { 34: { program: 'kimi' }, 80: { readBy: 34 } } as const;
  const argv = ['/bin/bash', '-c', String.raw`cd '/home/me/it'\''s shop' && sleep 9 | cat`];
  const call: Plant = { pid: 80, ppid: 34, sid: 80, argv, start: 70 };
  const of = (plant: Plant, input: StandardEnd | null) => kinds([agent, plant], told, { closed: { script, input } });

  test('is a call of it where its input was seen to be closed', () => {
    expect(of(call, { kind: 'pair', far: 'closed' })).toEqual({ 80: 'parent' });
    expect(of(call, { kind: 'pipe', far: 'closed' })).toEqual({ 80: 'parent' });
  });

  test.each<[string, StandardEnd | null]>([
    ['open, as a server’s', { kind: 'pair', far: 'open' }],
    ['unknown', { kind: 'pair', far: 'unknown' }],
    ['nothing', { kind: 'null', far: 'unknown' }],
    ['not to be seen', null],
  ])('is none where its input is %s', (_, input) => {
    expect(of(call, input)).toEqual({});
  });

  test('is none in the kernel session of the agent, below another process, or with another script', () => {
    const closed = { kind: 'pair', far: 'closed' } as const;
    expect(of({ ...call, sid: 34 }, closed)).toEqual({});
    expect(of({ ...call, argv: ['/bin/bash', '-c', 'cd /home/me && node server.js'] }, closed)).toEqual({});
    expect(kinds([agent, call], { ...told, 34: {} }, { closed: { script, input: closed } })).toEqual({});
  });

  test('is none where the agent does not read its output: a shell that became it may have started that', () => {
    const closed = { script, input: { kind: 'pipe', far: 'closed' } } as const;
    for (const other of [{}, { readBy: 20 }])
      expect(kinds([stranger, agent, call], { ...told, 80: other }, { closed })).toEqual({});
  });
});

describe('a marked process', () => {
  const mark = toolMark('claude-code', { session: 'a', pid: 34 });
  const marked: Told = { claims: [mark] };
  const isAgent: Told = { program: 'claude-code' };
  const child: Plant = { pid: 81, ppid: 34, argv: 'node server.js', sid: 34, start: 80 };
  const sessions = { toolShells: 'child-session' } as const;

  test('that shares the kernel session of its agent is the agent’s helper, unless it is a tool shell or has a parent between', () => {
    expect(kinds([agent, child], { 34: isAgent, 81: marked }, sessions)).toEqual({});
    const shell: Told = { claims: [toolShell('claude-code', { session: 'a' })] };
    expect(kinds([agent, child], { 34: isAgent, 81: shell }, sessions)).toEqual({ 81: 'claim' });
    const between: Plant = { pid: 80, ppid: 34, sid: 34, argv: 'sh', start: 70 };
    const codex: Told = { claims: [toolMark('codex', { session: 'c' })] };
    expect(kinds([agent, between, { ...child, ppid: 80 }], { 34: { program: 'codex' }, 81: codex }, sessions)).toEqual({
      81: 'claim',
    });
  });

  test('that shares it is a root of an agent that makes no sessions, or of which nothing is known', () => {
    const told = { 34: { program: 'codex' }, 81: { claims: [toolMark('codex', { session: 'c' })] } } as const;
    expect(kinds([agent, child], told, sessions)).toEqual({});
    expect(kinds([agent, child], told)).toEqual({ 81: 'claim' });
    expect(kinds([agent, child], told, { unsigned: true })).toEqual({ 81: 'claim' });
  });

  test('below the user’s program is a root by a tool shell only', () => {
    const below: Plant = { ...loose, ppid: 20 };
    expect(kinds([stranger, below], { 20: { isUserProgram: true }, 81: marked })).toEqual({});
    const shell: Told = { claims: [mark, toolShell('codex')] };
    expect(proofs([stranger, below], { 20: { isUserProgram: true }, 81: shell }).get(81)).toMatchObject({
      claim: { agent: 'codex' },
    });
  });

  test('that carries just what its agent does has inherited it, and one that names another session or process has not', () => {
    const own: Plant = { ...child, sid: 81 };
    const isRoot = (names: { readonly session?: string; readonly pid?: number }) =>
      proofs([agent, own], { 34: { ...isAgent, claims: [toolMark('claude-code', names)] }, 81: marked }).has(81);
    expect(isRoot({ session: 'a', pid: 34 })).toBe(false);
    expect(isRoot({ pid: 34 })).toBe(true);
    expect(isRoot({ session: 'a', pid: 33 })).toBe(true);
  });

  test('says which other agents marked it', () => {
    const codex = toolMark('codex');
    expect(proofs([loose], { 81: { claims: [mark, codex] } }).get(81)).toEqual({
      kind: 'claim',
      claim: mark,
      others: [codex],
    });
  });

  test('that is itself a program for the user is a root only when it has come loose', () => {
    const editor: Told = { isUserProgram: true, claims: [mark] };
    expect(kinds([stranger, { ...loose, ppid: 20 }], { 81: editor })).toEqual({});
    expect(kinds([loose], { 81: editor })).toEqual({ 81: 'claim' });
  });
});
