import type { Settings } from '../../../app/settings/settings.ts';
import type { Look } from '../../observing/look.ts';
import type { HostFailure } from '../host-failure.ts';
import type { SupervisorEvents } from '../../supervisor/supervisor-tools.ts';
import type { SeenOnHost } from '../../supervisor/notice-ledger.ts';
import type { Hosts } from '../hosts.ts';

export interface HostEvents extends SupervisorEvents {
  /** It went out of reach, or came back (null). Once each. */
  readonly reach: (failure: Error | null) => void;
}

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

export interface HostState {
  readonly host: string;
  /** The latest look that succeeded; null before the first. */
  readonly look: Look | null;
  /** Why it is out of reach, and since when by the wall clock, milliseconds; null when it isn't. */
  readonly trouble: { readonly failure: HostFailure; readonly sinceMs: number } | null;
}
