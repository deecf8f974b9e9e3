import { describe, expect, test } from 'vitest';
import { endsWithStrict, sessionsNamedBy, sparedInRun } from '../../../app/judge/runs/run-sparing.ts';
import { nothingSpared, type RunSparingQuestion } from '../../../app/judge/runs/run-sparing-question.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { programOf } from '../../../app/agents/signatures.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { claudeEnvironment, claudeShell, environments as marksOf } from '../jobs/plant.ts';
import { factsOf } from '../judge/job-builder.ts';

/** The run: `curfew run` is 10, its command 20, whose kernel session is the run's own. */
const ownSession = 20;

const row = (
  pid: number,
  ppid: number,
  sid: number,
  argv: readonly [string, ...string[]],
  more: Partial<Pick<ProcessRow, 'uid' | 'tty' | 'startTicks'>> = {},
): ProcessRow => ({
  pid: asPid(pid),
  ppid: asPid(ppid),
  pgid: asGroupId(pid),
  sid: asKernelSessionId(sid),
  tty: 0,
  state: 'S',
  startTicks: 1000,
  cpuMs: 0,
  rssBytes: 0,
  uid: 1000,
  comm: argv[0].slice(0, 15),
  argv,
  kernelThread: false,
  ...more,
});

const command = row(20, 10, 20, ['sh']);

const ask = (
  members: readonly ProcessRow[],
  more: Partial<RunSparingQuestion> & {
    readonly environments?: Readonly<Record<number, MarkerEnvironment>>;
    /** Processes that are no members of the run. */
    readonly machine?: readonly ProcessRow[];
  } = {},
): ReturnType<typeof sparedInRun> =>
  sparedInRun({
    members,
    isInside: ({ sid }) => Number(sid) === ownSession,
    isAdopted: ({ ppid }) => ppid === 10,
    isYoung: () => false,
    facts: () => new Map(),
    environment: ({ pid }) => more.environments?.[pid] ?? {},
    context: {
      ownPid: asPid(10),
      ownAncestors: new Set([asPid(1)]),
      ownGroup: 10,
      uid: 1000,
      pidNamespace: null,
      cgroups: null,
      isAgent: (one) => programOf(one) !== null,
      ownerServices: [],
      keptByAgent: [],
      rows: new Map((more.machine ?? []).map((one) => [one.pid, one])),
    },
    strict: false,
    keepInherited: false,
    memory: nothingSpared,
    ...more,
  });

const pids = (members: readonly ProcessRow[], more: Parameters<typeof ask>[1] = {}): readonly number[] =>
  [...ask(members, more).spared.keys()].map(Number).toSorted((a, b) => a - b);

const tmux = row(30, 10, 30, ['tmux', 'new-session', '-d']);

test('what the contract protects is spared once it has left the session of the run, with everything below it', () => {
  const pane = row(31, 30, 31, ['bash']);
  const job = row(32, 31, 32, ['sleep', '9']);
  expect(pids([command, tmux, pane, job, row(40, 20, 40, ['sleep', '9'])])).toEqual([30, 31, 32]);
  expect(pids([command, row(30, 20, ownSession, ['tmux'])])).toEqual([]);
  expect(pids([row(20, 10, 20, ['vim', 'notes']), row(21, 20, 21, ['node', 'language-server.js'])])).toEqual([]);
});

test('with --strict it is not spared; another user’s process and CURFEW_KEEP=1 are, wherever they are', () => {
  const other = row(50, 20, ownSession, ['sleep', '9'], { uid: 0 });
  const kept = row(51, 20, ownSession, ['sleep', '9']);
  const members = [command, tmux, row(31, 30, 31, ['bash']), other, kept];
  const environments = { 51: { CURFEW_KEEP: '1' } };
  expect(pids(members, { strict: true, environments })).toEqual([50, 51]);
  expect(pids(members, { environments })).toEqual([30, 31, 50, 51]);
  expect(pids(members, { environments, keepInherited: true })).toEqual([30, 31, 50]);
  expect(['multiplexer', 'started-by-spared', 'keep-marker', 'other-user'].map(endsWithStrict)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a mark that was once seen counts, for that identity only', () => {
  const kept = row(51, 20, 51, ['redis-server']);
  const { memory } = ask([command, kept], { environments: { 51: { CURFEW_KEEP: '1' } } });
  expect(pids([command, kept], { memory })).toEqual([51]);
  expect(pids([command, row(51, 20, 51, ['redis-server'], { startTicks: 1001 })], { memory })).toEqual([]);
});

test('what was below a spared process stays spared when its parents have ended, and so does what is in their session', () => {
  const pane = row(31, 30, 31, ['bash']);
  const job = row(32, 31, 31, ['make']);
  const { memory } = ask([command, tmux, pane, job]);
  expect(pids([command, tmux, row(32, 10, 31, ['make'])], { memory })).toEqual([30, 32]);
  // A spared shell leads its session, so it was started there.
  expect(pids([command, tmux, row(33, 10, 31, ['cc'])], { memory })).toEqual([30, 33]);
  expect(pids([command, row(32, 10, 32, ['make'], { startTicks: 2000 })], { memory })).toEqual([]);
});

test('an orphan whose environment names a spared multiplexer or agent was started in it', () => {
  const orphan = row(60, 10, 60, ['make']);
  const agent = row(70, 10, 70, ['claude']);
  expect(pids([command, tmux, orphan], { environments: { 60: { TMUX: '/tmp/tmux-0/default,30,0' } } })).toEqual([
    30, 60,
  ]);
  // The multiplexer in which the user called `curfew run` is not part of the run.
  expect(pids([command, tmux, orphan], { environments: { 60: { TMUX: '/tmp/tmux-0/default,7,0' } } })).toEqual([30]);
  const marked = { CLAUDECODE: '1', AI_AGENT: 'claude-code_2-1-329_agent', CLAUDE_CODE_SESSION_ID: 'a-session' };
  const environments = { 60: marked, 71: marked };
  const call = row(71, 70, 71, ['bash']);
  expect(pids([command, agent, call, orphan], { environments })).toEqual([60, 70, 71]);
  // The command of the run has the same session, which then proves nothing.
  const inherited = { ...environments, 20: marked };
  expect(pids([command, agent, call, orphan], { environments: inherited })).toEqual([70, 71]);
  // Nor when that has ended.
  const { memory } = ask([command, agent, orphan], { environments: inherited });
  expect(pids([agent, call, orphan], { environments, memory })).toEqual([70, 71]);
  // Nor where no look saw it, but `curfew run` had the session from the agent that began it.
  const own = sessionsNamedBy(command, marked);
  expect(own).toHaveLength(1);
  const begun = { ...nothingSpared, inherited: new Set(own) };
  expect(pids([agent, call, orphan], { environments, memory: begun })).toEqual([70, 71]);
});

test('a `curfew run` in a run ends with it; another Curfew does not', () => {
  const nested = row(80, 20, 80, ['node', '/usr/lib/curfew.js', 'run', '--', 'make']);
  const watch = row(81, 10, 81, ['node', '/usr/lib/curfew.js', 'watch']);
  expect(pids([command, nested, row(82, 80, 82, ['make']), watch])).toEqual([81]);
});

test('a daemon that was adopted a moment ago may be about to leave the session of the run', () => {
  const daemon = row(90, 10, ownSession, ['ssh-agent']);
  expect(ask([command, daemon], { isYoung: () => true }).mayBeLeaving).toBe(true);
  expect(ask([command, daemon]).mayBeLeaving).toBe(false);
  expect(ask([command, daemon], { isYoung: () => true, strict: true }).mayBeLeaving).toBe(false);
  expect(ask([command, row(90, 20, ownSession, ['vim'])], { isYoung: () => true }).mayBeLeaving).toBe(false);
  expect(ask([command, row(90, 10, ownSession, ['sleep'])], { isYoung: () => true }).mayBeLeaving).toBe(false);
});

test('with a spared program on a terminal its session leader is spared, and what may hold the terminal', () => {
  const holder = row(40, 10, 40, ['a-terminal-of-no-name']);
  const shell = row(41, 40, 41, ['sh', '-c', 'vim notes'], { tty: 34_816 });
  const vim = row(42, 41, 41, ['vim', 'notes'], { tty: 34_816 });
  expect(pids([command, holder, shell, vim])).toEqual([40, 41, 42]);
});

describe('what was spared is told exactly', () => {
  const agent = row(70, 10, 70, ['claude']);
  const pane = row(31, 30, 31, ['sh', 'loop.sh']);
  const job = row(32, 31, 31, ['make'], { startTicks: 1500 });

  test('by its own reason, or by the topmost process that is spared for one', () => {
    const call = row(71, 70, 71, ['sh', 'loop.sh']);
    const inCall = row(72, 71, 71, ['make'], { startTicks: 1500 });
    const vim = row(73, 71, 73, ['vim', 'notes']);
    const { spared, memory } = ask([command, agent, call, inCall, row(74, 72, 74, ['cc']), vim]);
    expect(spared.get(asPid(70))).toMatchObject({ kind: 'veto', veto: { code: 'agent', pid: 70 } });
    expect(spared.get(asPid(73))).toMatchObject({ kind: 'veto', veto: { code: 'editor', pid: 73 } });
    for (const pid of [71, 72, 74]) expect(spared.get(asPid(pid))).toEqual({ kind: 'below', origin: 70 });
    expect(memory).toEqual({
      below: new Map([
        [71, { startTicks: 1000, origin: 70 }],
        [72, { startTicks: 1500, origin: 70 }],
        [74, { startTicks: 1000, origin: 70 }],
        [73, { startTicks: 1000, origin: 70 }],
      ]),
      inherited: new Set(),
      kept: new Map(),
      sessions: new Map([
        [70, 70],
        [71, 70],
        [74, 70],
        [73, 73],
      ]),
    });
  });

  test('the place below a multiplexer is a reason of its own, and is remembered when that has ended', () => {
    const first = ask([command, tmux, pane, job]);
    expect(first.spared.get(asPid(32))).toMatchObject({
      veto: { code: 'multiplexer', pid: 32, figures: { inside: 30 } },
    });
    const orphan = { ...job, ppid: asPid(10), sid: asKernelSessionId(32) };
    const second = ask([command, orphan], { memory: first.memory });
    expect(second.spared).toEqual(new Map([[32, { kind: 'below', origin: 31 }]]));
    // For a while it is something that has a reason of its own.
    const editor = { ...orphan, argv: ['vim'], comm: 'vim' };
    const third = ask([command, editor], { memory: second.memory });
    expect(third.spared.get(asPid(32))).toMatchObject({ veto: { code: 'editor' } });
    expect(pids([command, orphan], { memory: third.memory })).toEqual([32]);
    const reused = ask([command, { ...editor, startTicks: 2000 }], { memory: second.memory });
    expect(pids([command, { ...orphan, startTicks: 2000 }], { memory: reused.memory })).toEqual([]);
  });

  test('a kernel session is remembered while it holds one that is left, and led by none that ends with the run', () => {
    const { memory } = ask([command, tmux, pane, job]);
    const orphan = row(32, 10, 31, ['make'], { startTicks: 1500 });
    const next = ask([command, orphan], { memory });
    expect(next.memory.sessions).toEqual(new Map([[31, 31]]));
    expect(ask([command, row(34, 10, 31, ['cc'])], { memory: next.memory }).spared.size).toBe(1);
    expect(ask([command], { memory }).memory.sessions).toEqual(new Map());
    expect(ask([command, row(31, 10, 31, ['another'], { startTicks: 9 })], { memory }).spared.size).toBe(0);
  });

  test('an orphan that was known by its environment stays spared when the program that it names has ended', () => {
    const orphan = row(60, 10, 60, ['make']);
    const { memory } = ask([command, tmux, orphan], { environments: { 60: { TMUX: '/tmp/tmux-0/default,30,0' } } });
    expect(pids([command, orphan], { memory })).toEqual([60]);
  });

  test('the session of a spared process is not its own where another leads it', () => {
    const members = [command, row(40, 20, 40, ['sh', 'loop.sh']), row(51, 40, 40, ['redis-server'])];
    const { memory } = ask(members, { environments: { 51: { CURFEW_KEEP: '1' } } });
    expect(memory.sessions).toEqual(new Map());
  });

  test('an orphan that leads a session of its own stays spared, at whatever depth it was below', () => {
    const deep = row(35, 32, 35, ['cc']);
    const { memory } = ask([command, tmux, pane, job, deep]);
    expect(pids([command, { ...deep, ppid: asPid(10) }], { memory })).toEqual([35]);
    expect(pids([command, { ...pane, ppid: asPid(10) }], { memory })).toEqual([31]);
    expect(pids([command, { ...pane, ppid: asPid(10), startTicks: 2000 }], { memory })).toEqual([]);
  });
});

describe('CURFEW_KEEP=1', () => {
  const kept = row(51, 20, 51, ['redis-server']);
  const environments = { 51: { CURFEW_KEEP: '1' } };

  test('is remembered from look to look, as its own reason', () => {
    const first = ask([command, kept], { environments });
    const second = ask([command, kept], { memory: first.memory });
    const third = ask([command, kept], { memory: second.memory });
    expect(third.spared).toEqual(
      new Map([[51, { kind: 'veto', veto: { code: 'keep-marker', pid: 51, figures: {} } }]]),
    );
    const editor = row(51, 20, 51, ['vim']);
    expect(ask([command, editor], { memory: first.memory }).spared.get(asPid(51))).toMatchObject({
      veto: { code: 'editor' },
    });
  });

  test('spares no child with --strict, and is not known of what has overwritten its environment', () => {
    const below = row(52, 51, 52, ['sleep', '9']);
    expect(pids([command, kept, below], { environments })).toEqual([51, 52]);
    expect(pids([command, kept, below], { environments, strict: true })).toEqual([51]);
    const hidden = factsOf({ environment: null, hidden: 'rewritten' });
    expect(pids([command, kept], { facts: () => new Map([[51, hidden]]) })).toEqual([]);
  });
});

describe('Curfew in a run', () => {
  test.each([
    [['curfew', 'run', '--', 'make'], false],
    [['/opt/Curfew', 'run', '--', 'make'], false],
    [['node', '/usr/lib/curfew.js', 'run'], false],
    [['node', '/usr/lib/curfew.js', 'status', 'run'], true],
    [['tmux', 'new', 'curfew', 'run'], true],
  ] as const)('%j is spared: %s', (argv, spared) => {
    expect(pids([command, row(80, 20, 80, [...argv] as [string, ...string[]])])).toEqual(spared ? [80] : []);
  });

  test('is no daemon that is about to leave', () => {
    const watch = row(81, 10, ownSession, ['node', '/usr/lib/curfew.js', 'watch']);
    expect(ask([command, watch], { isYoung: () => true }).mayBeLeaving).toBe(false);
  });
});

describe('what was moved into another terminal (reptyr)', () => {
  const init = row(1, 0, 1, ['/sbin/init']);
  const moved = (ppid: number): readonly number[] => {
    const one = row(60, ppid, 60, ['npm', 'test'], { tty: 34_816 });
    return pids([command, one], { machine: [init] });
  };

  test('is spared where it was adopted, by the run as well as by process 1, and not below its parent', () => {
    expect(moved(10)).toEqual([60]);
    expect(moved(1)).toEqual([60]);
    expect(moved(20)).toEqual([]);
  });
});

describe('the terminal of a spared program', () => {
  const holder = row(40, 10, 40, ['a-terminal-of-no-name']);
  const shell = row(41, 40, 41, ['sh', '-c', 'vim notes'], { tty: 34_816 });
  const vim = row(42, 41, 41, ['vim', 'notes'], { tty: 34_816 });
  const open = (...targets: readonly string[]) => ({
    facts: () => new Map([[40, factsOf({ openFiles: targets.map((target, fd) => ({ fd, target, deleted: false })) })]]),
  });

  test('is kept by what has its other end open, and by the leader of its session alone where nothing else has', () => {
    expect(pids([command, holder, shell, vim], open('/dev/null', '/dev/pts/ptmx'))).toEqual([40, 41, 42]);
    expect(pids([command, holder, shell, vim], open('/dev/null', '/ptmx/x'))).toEqual([41, 42]);
    expect(pids([command, shell, vim])).toEqual([41, 42]);
    expect(pids([command, vim])).toEqual([42]);
  });

  test('is told as what it holds, and is no reason for what is spared by itself', () => {
    const { spared } = ask([command, holder, shell, vim]);
    const holds = { code: 'terminal', figures: { name: 'vim', holds: 42 } };
    expect(spared.get(asPid(40))).toEqual({ kind: 'veto', veto: { ...holds, pid: 40 } });
    expect(spared.get(asPid(41))).toEqual({ kind: 'veto', veto: { ...holds, pid: 41 } });
    const tmuxBelow = { ...shell, argv: ['tmux'], comm: 'tmux' };
    expect(ask([command, holder, tmuxBelow, vim]).spared.get(asPid(41))).toMatchObject({
      veto: { code: 'multiplexer' },
    });
  });

  test('matters only to what is on one, and protected itself', () => {
    expect(pids([command, shell, { ...vim, tty: 0 }])).toEqual([42]);
    const below = row(43, 20, 41, ['make'], { tty: 34_816 });
    const memory = { ...nothingSpared, below: new Map([[below.pid, { startTicks: 1000, origin: asPid(30) }]]) };
    expect(pids([command, shell, below], { memory })).toEqual([43]);
  });
});

describe('marks of an agent', () => {
  const agent = row(70, 10, 70, ['opencode']);
  const call = row(71, 70, 71, ['bash']);
  const orphan = row(60, 10, 60, ['make']);
  const sparedWith = (
    of60: MarkerEnvironment | null,
    of71: MarkerEnvironment = {},
    one: ProcessRow = orphan,
  ): readonly number[] =>
    pids([command, agent, call, one], {
      environment: ({ pid }) => (Number(pid) === 60 ? of60 : Number(pid) === 71 ? of71 : {}),
    });

  test('tell what a spared one started by its pid', () => {
    expect(sparedWith(marksOf.opencode(70))).toEqual([60, 70, 71]);
    expect(sparedWith(marksOf.opencode(20))).toEqual([70, 71]);
  });

  test('tell it by a session of its own, beside other marks too', () => {
    expect(sparedWith(marksOf.codex('a'), marksOf.codex('a'))).toEqual([60, 70, 71]);
    expect(sparedWith(marksOf.codex('b'), marksOf.codex('a'))).toEqual([70, 71]);
    const both = { ...marksOf.codex('b'), ...marksOf.copilot('a') };
    expect(sparedWith(both, marksOf.copilot('a'))).toEqual([60, 70, 71]);
    expect(sparedWith(both, marksOf.codex('b'))).toEqual([60, 70, 71]);
    expect(sparedWith(marksOf.copilot('a'), marksOf.codex('a'))).toEqual([70, 71]);
  });

  test('tell nothing where they name no session, are of no tool call, or can not be read', () => {
    expect(sparedWith({ CODEX_CI: '1' }, { CODEX_CI: '1' })).toEqual([70, 71]);
    const harness = claudeEnvironment({ pid: 7 }, 'harness');
    expect(sparedWith(harness, harness)).toEqual([70, 71]);
    expect(sparedWith(null)).toEqual([70, 71]);
    const wrapped = { ...orphan, argv: claudeShell('make') };
    expect(sparedWith({}, {}, wrapped)).toEqual([70, 71]);
  });
});
