import type { Said } from '../../app/format/said.ts';
import type { EventPayload } from '../../app/contract/contract.ts';
import type { Answerers } from '../../app/contract/answerers.ts';
import type { IncidentView } from '../../app/contract/views/incident-view.ts';
import type { Snapshot, SnapshotJob } from '../../app/contract/views/snapshot.ts';
import type { LinesTarget } from '../incident-lines/incident-lines.ts';
import type { SupervisorKind } from '../store/supervisor-lock.ts';
import type { Surface } from './answers/surface.ts';

/**
 * The main process's side of the contract: it owns the one snapshot and answers every question.
 * Carriers (the Electron shell, the loopback page) pass both on and decide nothing.
 */
export interface CurfewService {
  /** The latest state; replaced, never changed in place. */
  readonly snapshot: () => Snapshot;
  /**
   * Calls the listener with every event from now on, in order and synchronously; the returned
   * function ends it. A listener that wants only `moments` (for notifications) gets no differences,
   * so that none are computed while no window is open.
   */
  readonly subscribe: (listener: (event: ServiceEvent) => void, wants?: 'everything' | 'moments') => () => void;
  /** One handler a question; call them by `answerQuestion`, which checks input and output. */
  readonly answerers: Answerers;
  /** For `answerQuestion` and the carrier: logs an internal failure and what failed. */
  readonly report: (error: unknown, doing: string) => void;
  /** True for a job (`jobKey`) whose announced end doesn't count until the user saw it. */
  readonly awaitsNotice: (key: string) => boolean;
  /** The user was shown what was announced of these jobs. */
  readonly noticesSeen: (keys: readonly string[]) => void;
  /** Finishes reapings, releases the supervisor's lock, closes stores. Safe to repeat. */
  readonly stop: () => Promise<void>;
}

export type ServiceEvent =
  | { readonly kind: 'difference'; readonly difference: EventPayload<'difference'> }
  /** A job needs attention; once per job and state, so that it can become a notification. */
  | { readonly kind: 'noticed'; readonly job: SnapshotJob }
  | { readonly kind: 'ended'; readonly incident: IncidentView }
  /** The supervision was lost (its lock was removed); the service has stopped. */
  | { readonly kind: 'lost'; readonly problem: Said };

export interface ServiceOptions {
  /** The kind of supervisor, for others that try to start one. */
  readonly what: SupervisorKind;
  readonly surface: Surface;
  /** Overrides the mode of the settings. */
  readonly mode?: 'enforce' | 'observe';
  /** Overrides the setting `incidentLines`. */
  readonly lines?: LinesTarget;
  /** The user whose processes are candidates; null: the caller. */
  readonly uid: number | null;
  /** Called with problems outside of any question, in sentences. */
  readonly warn: (said: Said) => void;
  /** The command line's file, for hooks and autostart; absent: this process's program. */
  readonly commandLine?: string;
  /**
   * When an announcement counts: `seen`, once the system took it or the user looked at a window or
   * page; `given`, as soon as it was made. Left out: `given` in a terminal, which shows it, else
   * `seen`: a desktop may have no notifications, and a page may be closed.
   */
  readonly noticesCount?: 'seen' | 'given';
}
