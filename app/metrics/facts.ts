import type { AgentId } from '../agents/common/agent-id.ts';
import type { Outcome } from '../history/incident.ts';
import type { Job, JobKind, Owner } from '../model/job.ts';
import { isShownAlways } from '../judge/shown.ts';
import type { Verdict, VerdictState } from '../judge/verdict.ts';
import type { Settings } from '../settings/settings.ts';

/** Jobs that are alike in everything that is a label. */
export interface JobCount {
  readonly agent: AgentId;
  readonly kind: JobKind;
  readonly owner: Owner['state'];
  readonly verdict: VerdictState;
  /** They outlived their session or overstay, and are in a list of what needs a look. */
  readonly isLeftover: boolean;
  readonly jobs: number;
  readonly rssBytes: number;
}

/** Agents of one kind that no user can reach. */
export interface AgentCount {
  readonly agent: AgentId;
  readonly agents: number;
}

/** A machine that the settings name, as its latest look or try came out. */
export type HostFacts =
  | { readonly host: string; readonly reachable: false }
  | {
      readonly host: string;
      readonly reachable: true;
      readonly leftovers: number;
      readonly leftoverBytes: number;
    };

/** What looks cost since their supervisor started. */
export interface ScanCost {
  readonly scans: number;
  readonly seconds: number;
  /** Processor time of the whole process, seconds; null: not known on this system. */
  readonly cpuSeconds: number | null;
}

/** What a running supervisor published last. Moments are milliseconds since the epoch. */
export interface LookFacts {
  readonly version: string;
  readonly startedAtMs: number;
  readonly lastScanMs: number;
  readonly cost: ScanCost;
  /** Processes of the machine at the last look. */
  readonly processes: number;
  readonly jobs: readonly JobCount[];
  /** null: this system doesn't tell who can reach an agent. */
  readonly outOfReach: readonly AgentCount[] | null;
  /** Agents and jobs that are at work, or may be; null: an earlier Curfew did not say. */
  readonly atWork: number | null;
  /** Since when nothing is at work; null: something is, or there is no agent and no job. */
  readonly quietSinceMs: number | null;
  readonly mode: Settings['mode'];
  readonly isPaused: boolean;
  /** Of the machines of the settings, those that were tried by now. */
  readonly hosts: readonly HostFacts[];
}

/** Whether a supervisor watches. Of one that ended, only when it looked last still counts. */
export type Watching =
  | { readonly kind: 'watching'; readonly facts: LookFacts }
  | { readonly kind: 'ended'; readonly lastScanMs: number }
  | { readonly kind: 'never' };

export interface EndTotal {
  readonly agent: AgentId;
  readonly outcome: Outcome;
  readonly ends: number;
  /** Confirmed dead. */
  readonly processes: number;
  /** Memory that those held, bytes. */
  readonly freedBytes: number;
  /** Processes that were left alive. */
  readonly survivors: number;
}

/** What was ended since the record began, also what was dropped. `sinceMs`: null before any. */
export type EndTotals =
  | { readonly kind: 'read'; readonly sinceMs: number | null; readonly totals: readonly EndTotal[] }
  | { readonly kind: 'unreadable' };

/** All that the numbers are made of. */
export interface MetricFacts {
  /** Of the program that makes the numbers. */
  readonly version: string;
  readonly watching: Watching;
  readonly ends: EndTotals;
}

interface Counted {
  readonly job: Pick<Job, 'agent' | 'kind' | 'server' | 'owner' | 'holds'>;
  readonly verdict: Pick<Verdict, 'state'>;
}

const overstays: ReadonlySet<VerdictState> = new Set<VerdictState>(['overdue', 'orphaned', 'probable', 'past-cap']);

const isLeftover = (one: Counted): boolean =>
  isShownAlways(one) && (one.job.owner.state === 'gone' || overstays.has(one.verdict.state));

/** Counts jobs by what is a label of them. */
export const countJobs = (judged: Iterable<Counted>): readonly JobCount[] => {
  const groups = Map.groupBy(judged, (one) =>
    [one.job.agent, one.job.kind, one.job.owner.state, one.verdict.state, isLeftover(one)].join(' '),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      agent: first.job.agent,
      kind: first.job.kind,
      owner: first.job.owner.state,
      verdict: first.verdict.state,
      isLeftover: isLeftover(first),
      jobs: group.length,
      rssBytes: group.reduce((sum, { job }) => sum + job.holds.rssBytes, 0),
    };
  });
};

/** Returns the leftovers among jobs, and the memory that they hold in bytes. */
export const leftoversOf = (
  judged: Iterable<Counted>,
): { readonly leftovers: number; readonly leftoverBytes: number } => {
  const left = [...judged].filter(isLeftover);
  return { leftovers: left.length, leftoverBytes: left.reduce((sum, { job }) => sum + job.holds.rssBytes, 0) };
};
