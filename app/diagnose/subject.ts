import type { Diagnosis, Member } from '../model/job.ts';
import type { MemberFacts } from '../process/facts.ts';
import { asPid } from '../process/identity.ts';
import type { ProcessRow } from '../process/row.ts';
import type { ProcessTable } from '../process/table.ts';
import type { ProcessTree } from '../process/tree.ts';
import type { JobProbe, ProcessProbe } from './probe.ts';
import type { Watch } from './watch.ts';
import type { SafeText } from '../format/secrets/safe-text.ts';

/** All that diagnoses of one job look at. */
export interface Subject {
  readonly table: ProcessTable;
  readonly tree: ProcessTree;
  readonly members: readonly Member[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
  readonly command: SafeText;
  readonly cpuMs: number;
  readonly ioBytes: number | null;
  readonly outputBytes: number | null;
  /** A server of a session: its input is the next request of its agent. */
  readonly serves: boolean;
  /** Seconds without processor time, input or output, as far as it was watched. */
  readonly silentSeconds: number;
  /** null: the job is young, or the machine tells nothing of the kind. */
  readonly probe: JobProbe | null;
  /** Seconds that a symptom must persist before it is reported. */
  readonly patienceSeconds: number;
  /** Max elapsed and hard cap, seconds. */
  readonly limitSeconds: number;
  readonly hardCapSeconds: number;
}

/** Longest patience, seconds: what waits a minute without running is not between two steps. */
const maxStandstillSeconds = 60;

/** Seconds a process must have waited for one thing, without running, to be reported. */
export const standstillSeconds = ({ patienceSeconds }: Pick<Subject, 'patienceSeconds'>): number =>
  Math.min(maxStandstillSeconds, patienceSeconds);

/** Seconds from a moment to the look; never negative. */
export const secondsSince = ({ table }: Pick<Subject, 'table'>, ticks: number): number =>
  Math.max(0, Math.round((table.nowTicks - ticks) / table.ticksPerSecond));

/** What was read of a member; null when nothing was. */
export const probeOf = (subject: Subject, pid: number): ProcessProbe | null =>
  subject.probe?.processes.get(pid) ?? null;

/** Returns a sum over all members; null where it isn't known of one of them. */
export const sumOf = ({ members }: Subject, of: (row: ProcessRow) => number | null): number | null =>
  members.reduce<number | null>((sum, { row }) => {
    const own = sum === null ? null : of(row);
    return sum === null || own === null ? null : sum + own;
  }, 0);

/** Share of one core since a look at which the job had used `cpuMs`, percent. */
export const cpuPercentSince = ({ table, cpuMs: nowMs }: Subject, sinceTicks: number, cpuMs: number): number => {
  const elapsedMs = ((table.nowTicks - sinceTicks) / table.ticksPerSecond) * 1000;
  return elapsedMs <= 0 ? 0 : ((nowMs - cpuMs) / elapsedMs) * 100;
};

/** The kernel's short name of a process; empty where it is gone. */
export const nameOf = (subject: Subject, pid: number): string => subject.table.rows.get(asPid(pid))?.comm ?? '';

/** One file a diagnosis: what it remembers, and what it finds. Pure; null for nothing found. */
export type Finder = (subject: Subject, watch: Watch) => Diagnosis | null;
