import { expect, test } from 'vitest';
import { endsWithStrict, sessionsNamedBy, sparedInRun } from '../../../app/judge/runs/run-sparing.ts';
import { nothingSpared, type RunSparingQuestion } from '../../../app/judge/runs/run-sparing-question.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { programOf } from '../../../app/agents/signatures.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';

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
  more: Partial<RunSparingQuestion> & { readonly environments?: Readonly<Record<number, MarkerEnvironment>> } = {},
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
      rows: new Map(),
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
