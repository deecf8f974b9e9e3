import type { ReachWitness } from '../../../app/jobs/lineage/witness.ts';
import type { AgentEnds, StandardEnd } from '../../../app/model/reach.ts';
import { asBootId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { type ReachInput, reachOf } from '../../../app/reach/reach.ts';
import { rowOf } from '../judge/job-builder.ts';

export const ticksPerSecond = 100;
const nowTicks = 1_000_000;

/** A table of these processes and process 1. */
export const tableOf = (rows: readonly ProcessRow[], at = nowTicks): ProcessTable => ({
  bootId: asBootId('boot'),
  takenAtMs: 1_700_000_000_000,
  nowTicks: at,
  ticksPerSecond,
  uid: 1000,
  rows: new Map([rowOf(1, ['init']), ...rows].map((row) => [row.pid, row])),
  complete: true,
});

export const hungUp: StandardEnd = { kind: 'terminal', state: 'hung-up', number: 3 };
export const held: StandardEnd = { kind: 'terminal', state: 'held', number: 3 };
export const closed: StandardEnd = { kind: 'channel', far: 'closed', target: null, side: 'both' };
export const open: StandardEnd = { kind: 'channel', far: 'open', target: 'socket:[77]', side: 'both' };
export const nothing: StandardEnd = { kind: 'null' };
export const file: StandardEnd = { kind: 'file' };
export const unseen: StandardEnd = { kind: 'unknown', why: 'it can’t be read' };

export const endsOf = (input: StandardEnd, output: StandardEnd, more: Partial<AgentEnds> = {}): AgentEnds => ({
  input,
  output,
  tty: 0,
  foreground: -1,
  ioBytes: 0,
  ...more,
});

/** The agent of these tests. */
export const agent = rowOf(50, ['codex'], { startTicks: 1000 });

/** What is remembered of it, seen so for these seconds. */
export const remembered = (
  ends: ReachWitness['ends'],
  seconds: number,
  more: Partial<ReachWitness> = {},
): ReachWitness => {
  const atTicks = nowTicks - seconds * ticksPerSecond;
  const totals = { atTicks, cpuMs: 0, ioBytes: 0 };
  const times = { sinceTicks: atTicks, workTicks: null, busyTicks: null };
  return { kind: 'reach', pid: 50, startTicks: 1000, ends, ...times, measured: totals, still: totals, ...more };
};

/** The reach of the agent, by default without anything around it. */
export const reachWith = (more: Partial<ReachInput>): ReturnType<typeof reachOf> =>
  reachOf({
    table: tableOf([agent]),
    row: agent,
    ends: endsOf(hungUp, hungUp),
    isService: false,
    holdersOf: () => [],
    hasClient: () => true,
    memory: null,
    work: null,
    ...more,
  });

export const pid = asPid;
