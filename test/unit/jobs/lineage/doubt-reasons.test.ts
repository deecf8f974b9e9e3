import { describe, expect, test } from 'vitest';
import type { AgentWitness, OpenedWitness, Witness } from '../../../../app/jobs/lineage/witness.ts';
import { claimKey } from '../../../../app/jobs/lineage/witness.ts';
import { claimed, type Proof } from '../../../../app/model/proof.ts';
import { asBootId } from '../../../../app/process/identity.ts';
import { looked, type LookedAt } from '../looked.ts';
import type { Plant } from '../plant.ts';
import { remembered } from '../remembered.ts';
import { toolMark, toolShell, type Told } from '../told-evidence.ts';

const reasons = {
  typed: 'its process group is one that a shell makes for what a user types',
  opened: 'a program in which a user works carried the same marks when it was started',
  terminal: 'its environment names a terminal that its agent is not known to have',
  onTerminal: 'its standard input or output is a terminal',
  unit: 'the service manager keeps it in a unit that is not known to be of its agent',
  before: 'an earlier look saw that a user may have started it',
} as const;

const mark = toolMark('codex', { session: 'a' });
const byPid = toolMark('claude-code', { session: 'a', pid: 34 });
const marked: Told = { claims: [mark] };

/** What may be a leftover of a call; it began 200 s after the start of the machine. */
const left = (more: Partial<Plant> = {}): Plant => ({
  pid: 90,
  sid: 80,
  pgid: 80,
  argv: 'sleep 9',
  start: 200,
  ...more,
});
const agent = (more: Partial<AgentWitness> = {}): AgentWitness => ({
  kind: 'agent',
  pid: 34,
  startTicks: 10_000,
  agent: 'codex',
  terminal: [],
  unit: null,
  endedTicks: 30_000,
  ...more,
});
const opened = (more: Partial<OpenedWitness> = {}): OpenedWitness => ({
  kind: 'opened',
  pid: 60,
  startTicks: 15_000,
  claims: [claimKey(mark)],
  endedTicks: null,
  ...more,
});

/** Why process 90 may be the user's; null for no reason. */
const doubt = (plants: readonly Plant[], at: LookedAt): string | null => {
  const why = looked(plants, at).unknownFor(90);
  return Object.values<string | null>(reasons).includes(why) ? why : null;
};

describe('a process group other than its kernel session’s leader’s', () => {
  const typed = left({ pgid: 90 });

  test('is one that a shell made for the user', () => {
    expect(doubt([typed], { told: { 90: marked } })).toBe(reasons.typed);
    expect(doubt([left()], { told: { 90: marked } })).toBeNull();
  });

  test('says nothing where the ids are of another pid namespace', () => {
    expect(doubt([left({ sid: 0, pgid: 90 })], { told: { 90: marked } })).toBeNull();
    expect(doubt([left({ sid: 80, pgid: 0 })], { told: { 90: { claims: [byPid] } } })).toBeNull();
  });

  test('says nothing in a kernel session that a look knew as the job’s', () => {
    const job = { bootId: asBootId('boot:1'), root: { pid: 90, startTicks: 20_000 }, agent: 'codex' } as const;
    for (const [kernelSessions, reason] of [
      [[80], null],
      [[81], reasons.typed],
    ] as const)
      expect(
        doubt([typed], { told: { 90: marked }, ledger: [remembered({ ...job, proof: claimed, kernelSessions })] }),
      ).toBe(reason);
  });

  test('is the user’s in the session of a shell of the user, with whatever marks, and a tool’s in that of one that is only marked', () => {
    const leader: Plant = { pid: 80, argv: 'bash', start: 150 };
    const below = (told: Told) => doubt([leader, typed], { told: { 80: told, 90: marked } });
    expect(below({})).toBe(reasons.typed);
    expect(below({ isUserProgram: true, claims: [toolMark('codex', { session: 'b' })] })).toBe(reasons.typed);
    expect(below({ claims: [mark] })).toBeNull();
  });
});

describe('what more than marks proves to be an agent’s is not doubted', () => {
  const typed = left({ pgid: 90 });

  test('but the name of an output file of the agent is a mark, too', () => {
    const told = { claims: [byPid], output: '/tmp/claude-1000/x/tasks/b1.output' };
    expect(doubt([typed], { told: { 90: told } })).toBe(reasons.typed);
  });

  test('where an earlier look saw such a proof, whatever else it saw', () => {
    const job = { bootId: asBootId('boot:1'), root: { pid: 90, startTicks: 20_000 }, agent: 'codex' } as const;
    const seen = (proof: Proof) => doubt([typed], { told: { 90: marked }, ledger: [remembered({ ...job, proof })] });
    expect(seen({ kind: 'look', agent: 'codex', process: null, atMs: 1 })).toBeNull();
    expect(seen(claimed)).toBe(reasons.typed);
  });

  test('where its tool shell is recognised, and so for the rest of the same call', () => {
    const shell: Plant = { pid: 80, argv: 'bash', start: 150 };
    const onTerminal: Told = { ...marked, surroundings: { onTerminal: true } };
    const beside = (claim: typeof mark) =>
      looked([shell, left()], { told: { 80: { claims: [claim] }, 90: onTerminal } }).unknownFor(90);
    expect(beside(toolShell('codex', { session: 'a' }))).not.toBe(reasons.onTerminal);
    expect(beside(mark)).toBe(reasons.onTerminal);
  });

  test('where a part of the same call hangs below the living agent', () => {
    const parts: readonly Plant[] = [
      { pid: 34, argv: 'codex', start: 100 },
      { pid: 80, ppid: 34, sid: 80, argv: 'bash', start: 150 },
      left(),
    ];
    const told = { 80: marked, 90: { ...marked, surroundings: { onTerminal: true } } };
    expect(doubt(parts, { told: { ...told, 34: { program: 'codex' } } })).toBeNull();
    expect(doubt(parts, { told })).toBe(reasons.onTerminal);
  });
});

describe('a program in which the user works, with the same marks', () => {
  const withOpened = (more: Partial<OpenedWitness>) =>
    doubt([left()], { told: { 90: marked }, witnesses: [opened(more)] });

  test('may have started what began while it ran, its first and its last moment included', () => {
    expect(withOpened({})).toBe(reasons.opened);
    expect(withOpened({ startTicks: 20_000 })).toBe(reasons.opened);
    expect(withOpened({ endedTicks: 20_000 })).toBe(reasons.opened);
  });

  test('has not started what began before or after it, nor what has other marks', () => {
    expect(withOpened({ startTicks: 20_001 })).toBeNull();
    expect(withOpened({ endedTicks: 19_999 })).toBeNull();
    expect(withOpened({ claims: [claimKey(toolMark('codex', { session: 'b' }))] })).toBeNull();
  });

  test('was there since the first of the user’s processes with these marks began, in whatever order they are listed', () => {
    const shell: Plant = { pid: 60, sid: 60, argv: 'bash', start: 100 };
    const first: Plant = { pid: 61, ppid: 60, pgid: 61, argv: 'node a.js', start: 150 };
    const last: Plant = { pid: 62, ppid: 60, pgid: 62, argv: 'node b.js', start: 250 };
    const told: LookedAt = { told: { 60: { isUserProgram: true }, 61: marked, 62: marked, 90: marked } };
    expect(doubt([shell, first, last, left()], told)).toBe(reasons.opened);
    expect(doubt([shell, last, first, left()], told)).toBe(reasons.opened);
    expect(doubt([shell, last, left()], told)).toBeNull();
    expect(doubt([shell, { ...last, start: 200 }, left()], told)).toBeNull();
  });
});

describe('what began after its agent had ended', () => {
  const isNone = (at: LookedAt): boolean => looked([left()], at).drafts.length === 0;
  const after = (witnesses: readonly Witness[], told: Told = marked): boolean =>
    isNone({ told: { 90: told }, witnesses });

  test('is no job, and in the very moment of its end it may be one', () => {
    expect(after([agent({ endedTicks: 19_999 })])).toBe(true);
    expect(after([agent({ endedTicks: 20_000 })])).toBe(false);
  });

  test('may be another’s that lived on, and not one’s that began later', () => {
    const dead = agent({ endedTicks: 15_000 });
    expect(after([dead, agent({ pid: 35 })])).toBe(false);
    expect(after([dead, agent({ pid: 35, startTicks: 20_000 })])).toBe(false);
    expect(after([dead, agent({ pid: 35, startTicks: 20_001 })])).toBe(true);
  });

  test('is not another kind of agent’s, nor another’s than the one that it names', () => {
    expect(after([agent({ endedTicks: 15_000 }), agent({ pid: 35, agent: 'gemini' })])).toBe(true);
    const named: Told = { claims: [byPid] };
    const claude = { agent: 'claude-code' } as const;
    expect(after([agent({ ...claude, endedTicks: 15_000 }), agent({ ...claude, pid: 35 })], named)).toBe(true);
    expect(after([agent({ ...claude, pid: 35, endedTicks: 15_000 })], named)).toBe(false);
  });

  test('goes on a job in the kernel session in which that was known', () => {
    const job = { bootId: asBootId('boot:1'), root: { pid: 90, startTicks: 20_000 }, agent: 'codex' } as const;
    const known = (sid: number) =>
      isNone({
        told: { 90: marked },
        witnesses: [agent({ endedTicks: 15_000 })],
        ledger: [remembered({ ...job, proof: claimed, kernelSessions: [sid] })],
      });
    expect(known(80)).toBe(false);
    expect(known(81)).toBe(true);
  });
});

describe('a terminal that the environment names', () => {
  const named = (terminal: readonly string[] | null, ...agents: readonly AgentWitness[]) =>
    doubt([left()], { told: { 90: { ...marked, surroundings: { terminal } } }, witnesses: agents });

  test('is its agent’s only where that has every mark of it', () => {
    expect(named(['A=1', 'B=2'], agent({ terminal: ['B=2', 'A=1', 'C=3'] }))).toBeNull();
    expect(named(['A=1', 'B=2'], agent({ terminal: ['A=1'] }))).toBe(reasons.terminal);
    expect(named(['A=1', 'B=2'], agent({ terminal: ['A=1', 'B=3'] }))).toBe(reasons.terminal);
  });

  test('is not known to be of an agent that could not be read, or that is not the one it names', () => {
    expect(named(['A=1'], agent({ terminal: null }))).toBe(reasons.terminal);
    expect(named(['A=1'], agent({ agent: 'gemini', terminal: ['A=1'] }))).toBe(reasons.terminal);
    const other = agent({ agent: 'claude-code', pid: 35, terminal: ['A=1'] });
    const told = { 90: { claims: [byPid], surroundings: { terminal: ['A=1'] } } };
    expect(doubt([left()], { told, witnesses: [other] })).toBe(reasons.terminal);
    expect(doubt([left()], { told, witnesses: [{ ...other, pid: 34 }] })).toBeNull();
  });

  test('says nothing where the environment names none or could not be read', () => {
    expect(named([])).toBeNull();
    expect(named(null)).toBeNull();
  });
});

describe('a terminal that it has open', () => {
  const at = (toolShells: 'child-session' | 'none') =>
    doubt([left()], { told: { 90: { ...marked, surroundings: { onTerminal: true } } }, toolShells });

  test('is the user’s where the agent gives its calls no terminal, and may be the agent’s else', () => {
    expect(at('child-session')).toBe(reasons.onTerminal);
    expect(at('none')).toBeNull();
  });
});

describe('a unit of the service manager', () => {
  const unit = '/user.slice/app-x.scope';
  const inUnit: Told = { ...marked, surroundings: { unit } };
  const older: Plant = { pid: 70, argv: 'node shell.js', start: 150 };
  const among = (plants: readonly Plant[], told: Readonly<Record<number, Told>>, ...agents: readonly AgentWitness[]) =>
    doubt([...plants, left()], { told: { 90: inUnit, ...told }, witnesses: agents });

  test('is its agent’s where one that could own it was in it', () => {
    expect(among([], {}, agent({ unit: '/other' }), agent({ pid: 35, unit }))).toBeNull();
  });

  test('is not where those that could own it were in others', () => {
    const elsewhere = agent({ unit: '/other' });
    expect(among([], {}, elsewhere)).toBe(reasons.unit);
    expect(among([older], { 70: { surroundings: { unit } } }, elsewhere)).toBe(reasons.unit);
    // Also where something older is in it: its agent is known not to be.
    expect(among([older], { 70: { surroundings: { unit } } }, elsewhere, agent({ pid: 35 }))).toBe(reasons.unit);
  });

  test('was made with the marks where all of it has them, and held the agent where something older has none', () => {
    expect(among([], {})).toBe(reasons.unit);
    expect(among([older], {})).toBe(reasons.unit);
    expect(among([older], { 70: { surroundings: { unit } } })).toBeNull();
    expect(among([older], { 70: { surroundings: { unit } } }, agent({ unit: null }))).toBeNull();
    expect(among([older, { pid: 71, argv: 'x', start: 160 }], { 70: { surroundings: { unit } } })).toBeNull();
    expect(among([older], { 70: { surroundings: { unit: '/other' } } })).toBe(reasons.unit);
  });

  test.each<[string, Partial<Plant>, Told]>([
    ['began in the same moment', { start: 200 }, {}],
    ['is younger', { start: 250 }, {}],
    ['is another user’s', { uid: 4242 }, {}],
    ['is the kernel’s', { kernelThread: true }, {}],
    ['has ended', { state: 'Z' }, {}],
    ['carries marks', { sid: 70 }, { claims: [toolMark('codex', { session: 'b' })] }],
  ])('is not known to be older by a process of it that %s', (_which, more, told) => {
    expect(among([{ ...older, ...more }], { 70: { ...told, surroundings: { unit } } })).toBe(reasons.unit);
  });

  test('is looked for among the 64 youngest of what is older: a machine can have thousands', () => {
    const crowd = (count: number): readonly Plant[] =>
      Array.from({ length: count }, (_, at) => ({ pid: 1000 + at, argv: 'x', start: 151 + at / 100 }));
    const first = { 70: { surroundings: { unit } } };
    expect(among([older, ...crowd(63)], first)).toBeNull();
    expect(among([older, ...crowd(64)], first)).toBe(reasons.unit);
    expect(among([...crowd(64), older], first)).toBe(reasons.unit);
  });

  test('says nothing where there is none', () => {
    expect(doubt([left()], { told: { 90: marked }, witnesses: [agent({ unit: '/other' })] })).toBeNull();
  });
});

describe('what was doubted once', () => {
  const once = (more: Partial<Witness> = {}): Witness =>
    ({ kind: 'doubtful', pid: 90, startTicks: 20_000, sid: 81, ...more }) as Witness;
  const before = (witness: Witness, more: Partial<Plant> = {}) =>
    doubt([left(more)], { told: { 90: marked }, witnesses: [witness] });

  test('stays so where nothing shows it any more, by its identity or by its kernel session', () => {
    expect(before(once())).toBe(reasons.before);
    expect(before(once({ pid: 70, startTicks: 1, sid: 80 }))).toBe(reasons.before);
  });

  test('is not another with the same pid, nor one that began in the same moment', () => {
    expect(before(once({ startTicks: 19_999 }))).toBeNull();
    expect(before(once({ pid: 91 }))).toBeNull();
  });

  test('is not everything of which the kernel session can not be told', () => {
    expect(before(once({ pid: 70, startTicks: 1, sid: 0 }), { sid: 0, pgid: 0 })).toBeNull();
  });

  test('is nothing that was only seen as an agent’s or the user’s program under the same identity', () => {
    expect(before(agent({ pid: 90, startTicks: 20_000 }))).toBeNull();
  });

  test('does not make doubtful what an agent starts in the same kernel session below itself', () => {
    const plants: readonly Plant[] = [
      { pid: 34, sid: 80, argv: 'aider', start: 190 },
      left({ ppid: 34, pgid: 34, argv: ['sh', '-c', 'sleep 9'] }),
    ];
    const at = { toolShells: 'child', witnesses: [once({ pid: 70, startTicks: 1, sid: 80 })] } as const;
    expect(doubt(plants, { ...at, told: { 34: { program: 'aider' }, 90: { readBy: 34 } } })).toBeNull();
    expect(looked(plants, { ...at, told: { 34: { program: 'aider' }, 90: { readBy: 34 } } }).drafts).toHaveLength(1);
  });
});
