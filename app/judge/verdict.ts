/** What the judge says of a job now. */
export const verdictStates = ['within', 'overdue', 'orphaned', 'probable', 'past-cap', 'kept', 'protected'] as const;

/** See `verdictStates`. `orphaned`: left by its session. `probable`: likely so, by marks alone. */
export type VerdictState = (typeof verdictStates)[number];

/** What follows from it by itself; the user can always do more. */
export type VerdictAction = 'none' | 'notify' | 'reap';

/** One reason: a code and figures with units in their names. `app/text` says it to users. */
export interface Reason {
  readonly code: ReasonCode;
  readonly figures: Readonly<Record<string, number | string>>;
}

/** Every reason that the judge knows. */
export type ReasonCode =
  | 'past-hard-cap'
  | 'owner-gone'
  | 'owner-unknown'
  | 'owner-live'
  | 'past-max-elapsed'
  | 'within-limits'
  | 'within-orphan-grace'
  | 'silent'
  | 'working'
  | 'service'
  | 'kept'
  | 'exempt'
  | 'in-use'
  | 'asked-at-cap'
  | 'vetoed'
  | 'observe-mode'
  | 'memory-lost'
  | 'notice-given'
  | 'diagnosis'
  | 'own-limits'
  | 'idle-after-result'
  | 'memory-scarce'
  | 'out-of-reach'
  | 'idle-agent'
  | 'closed-ends'
  | 'server-of-session'
  | 'servers-shown'
  | 'server-replaced'
  | 'server-detached'
  | 'server-reported'
  | 'claimed';

/** The judge's answer. */
export interface Verdict {
  readonly state: VerdictState;
  readonly action: VerdictAction;
  /** Wall clock, milliseconds, of the job's next event of its own; null when there is none. */
  readonly atMs: number | null;
  readonly reasons: readonly Reason[];
  /** `notify` is for what keeps the job alone; the user hears of no end, so none counts from it. */
  readonly forDiagnosis?: true;
  /** `notify` announces an end, at `atMs`: the notice counts while every look says so. */
  readonly announces?: true;
}

/** Why a process may not be signalled, by name. Shown to users, with that process. */
export interface Veto {
  readonly code: VetoCode;
  readonly pid: number;
  readonly figures: Readonly<Record<string, number | string>>;
}

/** The code of every veto. `app/judge/vetoes` decides them, one file each. */
export type VetoCode =
  | 'init'
  | 'kernel-thread'
  | 'curfew'
  | 'agent'
  | 'editor'
  | 'terminal'
  | 'multiplexer'
  | 'login-shell'
  | 'shared-daemon'
  | 'desktop'
  | 'other-user'
  | 'service-manager'
  | 'container'
  | 'other-namespace'
  | 'keep-marker'
  | 'keep-unknown'
  | 'traced'
  | 'takes-others'
  | 'unread'
  | 'kept-by-agent'
  | 'proxy-in-use'
  | 'window'
  | 'server-in-use'
  | 'no-provenance';
