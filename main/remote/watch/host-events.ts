import type { Decider, Incident } from '../../../app/history/incident.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';
import type { ReapingFailure } from '../../reaping/progress.ts';
import type { HostFailure } from '../host-failure.ts';
import type { SeenOnHost } from '../../supervisor/seen-notices.ts';
import type { Hosts } from '../hosts.ts';

/** What is told of other machines. Called synchronously; must not throw. */
export interface HostEvents {
  readonly looked: (host: string, look: Look) => void;
  /** A job needs the user's attention, once per job and state. */
  readonly noticed: (host: string, judged: JudgedJob, look: Look) => void;
  readonly reaping: (host: string, judged: JudgedJob, look: Look, decidedBy: Decider) => void;
  readonly ended: (incident: Incident) => void;
  readonly failed: (host: string, failure: ReapingFailure) => void;
  /** It went out of reach, or came back (null). Once each. */
  readonly reach: (host: string, failure: HostFailure | null) => void;
  /** Something went wrong with a record; the watch goes on. */
  readonly problem: (host: string, error: unknown) => void;
}

/** What another machine is watched with. */
export interface HostSupervisorTools {
  readonly hosts: Hosts;
  readonly settings: () => Settings;
  /** Null when an incident can be recorded; else why not. */
  readonly journalProblem: () => Error | null;
  /** True while nothing is to be ended or announced automatically. */
  readonly paused: () => boolean;
  /** Which announcements were seen. Left out: each counts as soon as it is given. */
  readonly seen?: SeenOnHost;
  readonly events: HostEvents;
}

/** The state of a machine. */
export interface HostState {
  readonly host: string;
  /** The latest look that succeeded; null before the first. */
  readonly look: Look | null;
  /** Why it is out of reach, and since when by the wall clock, milliseconds; null when it isn't. */
  readonly trouble: { readonly failure: HostFailure; readonly sinceMs: number } | null;
}
