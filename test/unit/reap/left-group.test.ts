import { expect, test } from 'vitest';
import type { Owner } from '../../../app/model/job.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import type { VetoContext } from '../../../app/judge/veto-rule.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';
import { asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { Target } from '../../../app/reap/target.ts';
import type { JudgedJob, Look } from '../../../main/observing/look.ts';
import type { ProcessHandle } from '../../../main/os/processes/signaller.ts';
import { killLeftGroup, type LeftGroup } from '../../../main/reaping/whole-group.ts';
import { factsOf, jobOf, rowOf, tableOf } from '../judge/job-builder.ts';
import { contextOf } from '../judge/vetoes/ask.ts';
import { target } from './targets.ts';

const leader = rowOf(10, ['worker'], { startTicks: 7 });
const child = rowOf(11, ['worker'], { ppid: asPid(10), sid: asKernelSessionId(10), startTicks: 7 });
/** Forked by the child since the look. */
const forked = rowOf(12, ['worker'], { ppid: asPid(11), sid: asKernelSessionId(10) });
const elsewhere = rowOf(20, ['node', 'server.js']);

interface Differs {
  /** Inside before it is frozen, and then; left out: as before. */
  readonly inside?: readonly number[];
  readonly still?: readonly number[];
  readonly beside?: readonly number[];
  /** As they are read while it stands still. */
  readonly now?: readonly ProcessRow[];
  readonly environment?: MarkerEnvironment | null;
  readonly owner?: 'gone' | 'live' | 'unknown';
  readonly targets?: readonly Target[];
  readonly dead?: number;
  readonly vetoed?: number;
  readonly context?: Partial<VetoContext>;
}

/** Whether the group was frozen, and what was killed in it. */
const killed = (differs: Differs = {}): { readonly frozen: boolean; readonly pids: readonly number[] | null } => {
  const { inside = [10, 11], still = inside, beside = [], environment = {}, owner = 'gone' } = differs;
  const now = tableOf(leader, child, forked, elsewhere, ...(differs.now ?? []));
  const rows = tableOf(leader, child, elsewhere, rowOf(30, ['helper']), rowOf(31, ['agent']));
  const targets = differs.targets ?? [target(10, 10), target(11, 10)];
  let frozen = false;
  const group: LeftGroup = {
    path: '/curfew-agent-1/calls',
    pids: () => ({ inside, beside }),
    killIf: (mayEnd) => {
      frozen = true;
      return mayEnd(still) ? still : null;
    },
  };
  const handleOf = ({ key, pid }: Target): [string, ProcessHandle] => [
    key,
    { identity: { startTicks: 7 }, alive: () => pid !== differs.dead } as ProcessHandle,
  ];
  const handles = new Map(targets.map(handleOf));
  const facts = new Map([10, 11].map((pid) => [pid, factsOf()]));
  const judged: Partial<JudgedJob> = {
    job: jobOf(100, {
      root: leader,
      members: [leader, child].map((row) => ({ row, by: ['group'] })),
      facts,
      owner: { state: owner, process: null, sinceMs: null, evidence: 'it was seen' } as Owner,
    }),
    entry: { kernelSessions: [10] } as unknown as LedgerEntry,
  };
  const found = killLeftGroup(
    {
      source: { read: (pid) => now.get(pid) ?? null, readEnvironment: () => environment },
      context: contextOf({ rows, ...differs.context }),
      reaping: { judged: judged as JudgedJob, handle: (key) => handles.get(key) },
      look: { table: { rows } } as unknown as Look,
      isVetoed: ({ pid }) => pid === differs.vetoed,
    },
    [group],
    targets,
  );
  return { frozen, pids: found?.pids ?? null };
};

test('a group in which all were judged is killed as one, with what they forked since', () => {
  expect(killed()).toEqual({ frozen: true, pids: [10, 11] });
  expect(killed({ inside: [10, 11], still: [10, 11, 12] }).pids).toEqual([10, 11, 12]);
  // What forks fast is another by then; its kernel session stays.
  const orphan = rowOf(12, ['worker'], { sid: asKernelSessionId(10) });
  expect(killed({ inside: [12], now: [orphan] }).pids).toEqual([12]);
  expect(killed({ beside: [30] }).pids).toEqual([10, 11]);
});

test.each<[string, Differs]>([
  ['one inside was seen and is no target', { inside: [10, 11, 20] }],
  ['one inside is spared', { targets: [target(10, 10)] }],
  ['a target is vetoed by now', { vetoed: 11 }],
  ['its owner is not gone', { owner: 'unknown' }],
  ['an agent is beside it', { beside: [31] }],
  ['what is beside it came since the look', { beside: [40] }],
  ['it is of another job', { inside: [40], now: [rowOf(40, ['worker'])] }],
  ['it is empty', { inside: [] }],
])('it is not even frozen where %s', (_what, differs) => {
  expect(killed(differs)).toEqual({ frozen: false, pids: null });
});

test.each<[string, Differs]>([
  ['was moved in', { still: [10, 11, 20] }],
  ['can’t be read', { still: [10, 11, 50] }],
  ['is of another pid namespace', { still: [10, 11, 0] }],
  ['has another start time', { now: [{ ...child, startTicks: 8 }] }],
  ['runs another program', { now: [{ ...child, argv: ['vim'], comm: 'vim' }] }],
  ['is another user’s', { now: [{ ...child, uid: 0 }] }],
  ['has ended', { dead: 11 }],
  ['is a zombie', { now: [{ ...child, state: 'Z' }] }],
  ['was forked since, and runs another program', { still: [10, 12], now: [{ ...forked, argv: ['tmux'] }] }],
  ['was forked since, and is to stay', { still: [10, 12], environment: { CURFEW_KEEP: '1' } }],
  ['was forked since, and hides its environment', { still: [10, 12], environment: null }],
  ['came since, and descends from none', { still: [10, 40], now: [rowOf(40, ['worker'])] }],
])('it goes on where one that stands still %s', (_what, differs) => {
  expect(killed(differs)).toEqual({ frozen: true, pids: null });
});
