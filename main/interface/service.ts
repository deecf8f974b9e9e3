import type { Answer } from '../../app/contract/answer.ts';
import type { Autostart, Place } from '../../app/contract/app-questions.ts';
import type { EventPayload } from '../../app/contract/contract.ts';
import type { Answerers } from '../../app/contract/exchange.ts';
import type { IncidentView } from '../../app/contract/incident-view.ts';
import type { Snapshot, SnapshotJob } from '../../app/contract/snapshot.ts';

/**
 * The main process' side of the contract: it owns the one snapshot and answers every question. Carriers (the Electron
 * shell, the loopback page) pass both on and decide nothing.
 */
export interface CurfewService {
  /** The latest state; replaced, never changed in place. */
  readonly snapshot: () => Snapshot;
  /** Tells everything from now on, in order and synchronously; the returned function ends it. */
  readonly subscribe: (listener: (event: ServiceEvent) => void) => () => void;
  /** One function for every question, to be called through `answerQuestion` only, which checks what comes and goes. */
  readonly answerers: Answerers;
  /** Finishes the reapings in progress, gives the supervision back and closes the stores; however often it is called. */
  readonly stop: () => Promise<void>;
}

/** What a service tells its carrier. */
export type ServiceEvent =
  | { readonly kind: 'difference'; readonly difference: EventPayload<'difference'> }
  /** A job needs the person's attention; once per job and state, so that it can become a notification as it is. */
  | { readonly kind: 'noticed'; readonly job: SnapshotJob }
  | { readonly kind: 'ended'; readonly incident: IncidentView }
  /** The supervision was lost (its lock was removed); the service has stopped by itself. */
  | { readonly kind: 'lost'; readonly problem: string };

/** An export on its way: pieces of text, made as they are asked for, so that 100,000 incidents don't fill the memory. */
export interface ExportContent {
  readonly name: string;
  readonly mediaType: 'text/csv' | 'application/json';
  readonly pieces: () => Iterable<string>;
}

/** What only the carrier can do. Nothing here throws; what can't be had is answered with a failure. */
export interface Surface {
  readonly kind: 'desktop' | 'page';
  /** Brings the place before the person's eyes. */
  readonly open: (place: Place) => Answer<object> | Promise<Answer<object>>;
  readonly copy: (text: string) => Answer<object> | Promise<Answer<object>>;
  readonly quit: () => Answer<object>;
  /** Where an export goes: a file that the person chose, or an address to fetch it from once. */
  readonly save: (
    content: ExportContent,
  ) => Promise<
    Answer<{ readonly kind: 'file'; readonly path: string } | { readonly kind: 'download'; readonly url: string }>
  >;
  /** Start at login, where the carrier knows better than main/autostart (login items of macOS and Windows); null: that one. */
  readonly autostart: {
    readonly status: () => Promise<Answer<Autostart>>;
    readonly set: (enabled: boolean) => Promise<Answer<Autostart>>;
  } | null;
}

/** What a service is opened with. */
export interface ServiceOptions {
  /** Who supervises, as others are told that ask for it too. */
  readonly what: 'web' | 'app';
  readonly surface: Surface;
  /** Whose processes are candidates; null: the caller's. */
  readonly uid: number | null;
  /** Told what goes wrong outside of any question, in sentences. */
  readonly warn: (text: string) => void;
}
