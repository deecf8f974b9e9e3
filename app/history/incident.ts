import type { Said } from '../../app/format/said.ts';
import type { SafeText } from '../format/secrets/safe-text.ts';
import type { AgentId } from '../agents/common/agent-id.ts';
import type { Objection } from '../judge/stop-reason.ts';
import type { Reason } from '../judge/verdict.ts';
import type { SignalName } from '../process/signal.ts';

/**
 * What decided that a job was to be ended. Every signal is attributable to one of these. `agent`:
 * the session that the job belongs to asked for it, through `curfew mcp`.
 */
export type Decider = 'rule' | 'person' | 'hook' | 'command' | 'agent';

/**
 * How a reaping ended.
 * - `reaped`: the first signal was enough
 * - `killed`: KILL was needed
 * - `survived`: some processes are left
 * - `spared`: a veto or a changed identity stopped it
 * - `vanished`: gone before any signal; a note says what is known about the cause
 * - `interrupted`: Curfew itself ended before the reaping was over and the record could not be
 * completed
 */
export const outcomes = ['reaped', 'killed', 'survived', 'spared', 'vanished', 'interrupted'] as const;

export type Outcome = (typeof outcomes)[number];

export interface SignalRecord {
  readonly atMs: number;
  readonly signal: SignalName;
  /** "group 39" or "process 40". */
  readonly target: string;
  readonly pids: readonly number[];
  readonly result: 'sent' | 'gone' | 'refused' | 'vetoed';
  /** Why it was refused or vetoed. */
  readonly note: SafeText | null;
  /** The same for other languages, see the notes among the events. */
  readonly said?: Said;
}

/** A process in the record: enough to recognise it, without secrets. */
export interface RecordedProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly startTicks: number;
  /** Redacted. */
  readonly args: SafeText;
  readonly rssBytes: number;
}

/** What was freed; counts only processes confirmed dead. */
export interface Freed {
  /** The most that lived at one look. */
  readonly processes: number;
  /** The most that they held at one look. */
  readonly rssBytes: number;
  /**
   * Further ones that lived at other looks, as those of a loop. 0 in records of before, which count
   * them in `processes`, and their memory in `rssBytes`.
   */
  readonly cameAndWent: number;
  readonly ports: readonly number[];
  readonly locks: readonly SafeText[];
}

/** Written to disk before the first signal. */
export interface Intent {
  readonly id: string;
  readonly atMs: number;
  readonly host: string;
  readonly bootId: string;
  /** The Curfew process that reaps. After its end, the next one to start completes the record. */
  readonly writer: { readonly pid: number; readonly startTicks: number };
  readonly job: string;
  readonly agent: AgentId;
  readonly rule: string;
  /** Redacted. */
  readonly command: SafeText;
  readonly project: SafeText | null;
  readonly session: string | null;
  readonly task: SafeText | null;
  readonly output: SafeText | null;
  readonly ageSeconds: number;
  readonly owner: 'live' | 'gone' | 'unknown';
  readonly ownerEvidence: SafeText;
  /** The same by key, for other languages. */
  readonly ownerSaid?: Said;
  readonly decidedBy: Decider;
  /** State from the judge: `orphaned`, `past-cap` … */
  readonly verdict: string;
  readonly reasons: readonly Reason[];
  /** Sentences of provenance and membership, for users. */
  readonly evidence: readonly SafeText[];
  /** The same by key, for other languages. */
  readonly evidenceSaid?: readonly Said[];
  readonly processes: readonly RecordedProcess[];
  readonly firstSignal: SignalName;
  readonly graceSeconds: number;
}

/** Events of an incident, in order. The intent comes first, an outcome last. */
export type IncidentEvent =
  | { readonly kind: 'signal'; readonly signal: SignalRecord }
  | { readonly kind: 'veto'; readonly atMs: number; readonly vetoes: readonly Objection[] }
  | { readonly kind: 'died'; readonly atMs: number; readonly pids: readonly number[] }
  /** `said`: the same for other languages. Left out by a Curfew of before, and without a key. */
  | { readonly kind: 'note'; readonly atMs: number; readonly text: SafeText; readonly said?: Said }
  | {
      readonly kind: 'ended';
      readonly atMs: number;
      readonly outcome: Outcome;
      readonly survivors: readonly RecordedProcess[];
      readonly freed: Freed;
      /** Last lines of the job's output, redacted, bounded. */
      readonly outputTail: SafeText | null;
    };

/** Record of an overdue job: evidence, verdict, every signal with its result, what was freed. */
export interface Incident extends Intent {
  readonly events: readonly IncidentEvent[];
  readonly signals: readonly SignalRecord[];
  /** null while the reaping is in progress. */
  readonly outcome: Outcome | null;
  readonly survivors: readonly RecordedProcess[];
  readonly freed: Freed;
  readonly outputTail: SafeText | null;
  /** Time from the intent to the outcome, milliseconds; null while in progress. */
  readonly tookMs: number | null;
}
