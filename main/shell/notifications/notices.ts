import { Notification } from 'electron';
import type { Place } from '../../../app/contract/app-questions.ts';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import type { Asked } from '../../../app/contract/asked.ts';
import { endedNotice, failedNotice, noticesFor, wantsNotice, type Notice } from '../../../app/notices/notice.ts';
import type { Voice } from '../../../app/text/voice.ts';
import { Noticed } from '../../../app/notices/noticed.ts';
import { bodyFor } from './body-for.ts';

/** What notifications need from the rest of the app. */
export interface NoticesOptions {
  readonly platform: NodeJS.Platform;
  /** Null while there is no service: then nothing is shown. */
  readonly snapshot: () => Snapshot | null;
  /** Asks a question for the user who pressed a button. */
  readonly ask: (question: Asked) => void;
  readonly open: (place: Place) => void;
  readonly warn: (text: string) => void;
  /** Returns the language of now. */
  readonly voice: () => Voice;
}

/** Events within this time in ms are one notification: all that a single scan found. */
const togetherMs = 250;

/** Upper bound of notifications on screen; an older one is removed. */
const maxShown = 20;

/**
 * The system's notifications (https://www.electronjs.org/docs/latest/api/notification). Buttons are
 * documented for macOS (signed apps) and Windows; the types of 45.4.1 offer them everywhere, and
 * systems without buttons omit them: the popover, which a click on the body opens, can do the same.
 * Seen with a stand-in for Electron only.
 */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #noticed = new Noticed();
  /** Referenced while they are up: a garbage-collected one reports no click. */
  readonly #shown = new Map<Notification, Notice>();
  #jobs: SnapshotJob[] = [];
  #incidents: IncidentView[] = [];
  #timer: NodeJS.Timeout | null = null;
  #saidFailure = false;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** A job needs the user; notifies together with what else happens now. */
  noticed(job: SnapshotJob): void {
    this.#jobs.push(job);
    this.#soon();
  }

  /** A reaping has ended. */
  ended(incident: IncidentView): void {
    this.#incidents.push(incident);
    this.#soon();
  }

  /** A request from menu or notification failed. */
  failed(message: string, advice: string | null): void {
    this.#show(failedNotice(message, advice, this.#options.voice()));
  }

  /**
   * Removes obsolete notifications: their jobs have ended, were kept, or are within their time
   * again.
   */
  follow(snapshot: Snapshot): void {
    const needed = this.#noticed.follow(snapshot);
    for (const [shown, { jobs }] of this.#shown) {
      if (jobs.length === 0 || jobs.some((job) => needed.has(job))) continue;
      this.#shown.delete(shown);
      shown.close();
    }
  }

  /** Shows nothing more and removes what is up. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const shown of this.#shown.keys()) shown.close();
    this.#shown.clear();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, togetherMs);
  }

  #flush(): void {
    const snapshot = this.#options.snapshot();
    if (snapshot === null) return;
    const voice = this.#options.voice();
    const jobs = this.#noticed.fresh(this.#jobs.filter((job) => wantsNotice(job, snapshot)));
    const ended = endedNotice(this.#incidents, snapshot, voice);
    this.#jobs = [];
    this.#incidents = [];
    for (const notice of noticesFor(jobs, snapshot, voice)) this.#show(notice);
    if (ended !== null) this.#show(ended);
  }

  #show(notice: Notice): void {
    const { platform, ask, open, warn } = this.#options;
    if (!Notification.isSupported()) return;
    const shown = new Notification({
      title: notice.title,
      body: bodyFor(platform, notice.body),
      silent: notice.quiet,
      urgency: notice.actions.length > 0 ? 'normal' : 'low',
      actions: notice.actions.map(({ label }) => ({ type: 'button', text: label })),
    });
    this.#shown.set(shown, notice);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > maxShown && oldest !== undefined) {
      this.#shown.delete(oldest);
      oldest.close();
    }
    const gone = (): void => void this.#shown.delete(shown);
    shown.on('click', () => {
      gone();
      open(notice.place);
    });
    shown.on('action', ({ actionIndex }) => {
      const action = notice.actions[actionIndex];
      gone();
      if (action !== undefined) ask(action.question);
    });
    // Windows emits this too when it moves one to its Action Center, where it can still be clicked
    // and is removed with its job
    // (https://www.electronjs.org/docs/latest/api/notification#event-close).
    shown.on('close', ({ reason }) => {
      if (reason !== 'timedOut') gone();
    });
    shown.on('failed', (_event, error) => {
      gone();
      // macOS fails each one of an unsigned app; once is enough.
      if (!this.#saidFailure) warn(`The system shows no notifications of Curfew: ${error}`);
      this.#saidFailure = true;
    });
    shown.show();
  }
}
