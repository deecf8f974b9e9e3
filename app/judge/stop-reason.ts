import type { Veto } from './verdict.ts';

/**
 * Why a reaping that has begun does not go on: the session turned out to live, the user put the end
 * off, a process speaks to a server after all, an older set of servers was used since it was
 * measured, or the process is another one now. A veto protects a
 * process at every scan; a stop reason is about one reaping.
 */
export type StopReason = 'owner-returned' | 'put-off' | 'spoken-to' | 'used-since' | 'identity-changed';

/** A reaping was stopped before this process got a signal. */
export interface Stop {
  readonly code: StopReason;
  readonly pid: number;
  readonly figures: Readonly<Record<string, number | string>>;
}

/** What keeps one process from a signal. Records and views list both kinds as `vetoes`. */
export type Objection = Veto | Stop;
