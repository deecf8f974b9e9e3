import type { AgentId } from '../agents/common/agent-id.ts';
import type { Objection } from '../judge/stop-reason.ts';
import type { Reason } from '../judge/verdict.ts';
import type { SignalName } from '../process/signal.ts';

/** Who decided that a job was to be ended. Every signal is attributable to one of these. */
export type Decider = 'rule' | 'person' | 'hook' | 'command';

/**
 * How a reaping ended: `reaped` the first signal was enough · `killed` KILL was needed · `survived` someone is left ·
 * `spared` a veto or a changed identity stopped it · `vanished` gone before any signal, by itself or by somebody else: a note says what is known of that · `interrupted` Curfew itself
 * ended in the middle and nobody could complete the record.
 */
export const outcomes = ['reaped', 'killed', 'survived', 'spared', 'vanished', 'interrupted'] as const;

/** See `outcomes`. */
export type Outcome = (typeof outcomes)[number];

/** One signal that was to be sent, with its result. */
export interface SignalRecord {
  readonly atMs: number;
  readonly signal: SignalName;
  /** "group 39" or "process 40". */
  readonly target: string;
  readonly pids: readonly number[];
  readonly result: 'sent' | 'gone' | 'refused' | 'vetoed';
  /** Why, when refused or vetoed. */
  readonly note: string | null;
}

/** A process as the record keeps it: enough to recognise it, nothing secret. */
export interface RecordedProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly startTicks: number;
  /** Redacted. */
  readonly args: string;
  readonly rssBytes: number;
}

/** What was freed, counted for processes confirmed dead only. */
export interface Freed {
  readonly processes: number;
  readonly rssBytes: number;
  readonly ports: readonly number[];
  readonly locks: readonly string[];
}

/** What is on disk before the first signal. */
export interface Intent {
  readonly id: string;
  readonly atMs: number;
  readonly host: string;
  readonly bootId: string;
  /** The Curfew process that reaps. Once it has ended, whoever starts next completes the record. */
  readonly writer: { readonly pid: number; readonly startTicks: number };
  readonly job: string;
  readonly agent: AgentId;
  readonly rule: string;
  /** Redacted. */
  readonly command: string;
  readonly project: string | null;
  readonly session: string | null;
  readonly task: string | null;
  readonly output: string | null;
  readonly ageSeconds: number;
  readonly owner: 'live' | 'gone' | 'unknown';
  readonly ownerEvidence: string;
  readonly decidedBy: Decider;
  /** The state that the judge gave: `orphaned`, `past-cap` … */
  readonly verdict: string;
  readonly reasons: readonly Reason[];
  /** Sentences of provenance and membership, for people. */
  readonly evidence: readonly string[];
  readonly processes: readonly RecordedProcess[];
  readonly firstSignal: SignalName;
  readonly graceSeconds: number;
}

/** What happens to an incident, in order. The intent comes first, an ending event last. */
export type IncidentEvent =
  | { readonly kind: 'signal'; readonly signal: SignalRecord }
  | { readonly kind: 'veto'; readonly atMs: number; readonly vetoes: readonly Objection[] }
  | { readonly kind: 'died'; readonly atMs: number; readonly pids: readonly number[] }
  | { readonly kind: 'note'; readonly atMs: number; readonly text: string }
  | {
      readonly kind: 'ended';
      readonly atMs: number;
      readonly outcome: Outcome;
      readonly survivors: readonly RecordedProcess[];
      readonly freed: Freed;
      /** Last lines of the job's output, redacted, bounded. */
      readonly outputTail: string | null;
    };

/** The record of a job that overstayed: evidence, verdict, every signal with its result, what was freed. */
export interface Incident extends Intent {
  readonly events: readonly IncidentEvent[];
  readonly signals: readonly SignalRecord[];
  /** null while the reaping goes on. */
  readonly outcome: Outcome | null;
  readonly survivors: readonly RecordedProcess[];
  readonly freed: Freed;
  readonly outputTail: string | null;
  /** From the intent to the end, milliseconds; null while it goes on. */
  readonly tookMs: number | null;
}
