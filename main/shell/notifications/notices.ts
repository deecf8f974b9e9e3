import type { Said } from '../../../app/format/said.ts';
import { Notification } from 'electron';
import { needsLook } from '../../../app/contract/claims/claims.ts';
import type { Place } from '../../../app/contract/app-questions.ts';
import type { IncidentView } from '../../../app/contract/views/incident-view.ts';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import type { Asked } from '../../../app/contract/asked.ts';
import {
  endedNotice,
  failedNotice,
  jobKey,
  noticesFor,
  wantsNotice,
  type Notice,
} from '../../../app/notices/notice.ts';
import type { Voice } from '../../../app/text/voice.ts';
import { Noticed } from '../../../app/notices/noticed.ts';
import type { Bridge } from '../../../app/contract/bridge.ts';
import { WeekNotices } from '../../../app/notices/week.ts';
import { bodyFor } from './body-for.ts';

/** What notifications need from the rest of the app. */
export interface NoticesOptions {
  readonly platform: NodeJS.Platform;
  /** Null while there is no service: then nothing is shown. */
  readonly snapshot: () => Snapshot | null;
  /** Asks a question for the user who pressed a button. */
  readonly ask: (question: Asked) => void;
  /** Answers while there is a service. */
  readonly answer: Bridge['ask'];
  readonly open: (place: Place) => void;
  readonly warn: (text: string) => void;
  /** Returns the language of now. */
  readonly voice: () => Voice;
  /** True for a job (`jobKey`) whose end is announced, and waits to be seen before it counts. */
  readonly awaits: (job: string) => boolean;
  /** The user was shown what is announced of these jobs, or wants no notification of it. */
  readonly seen: (jobs: readonly string[]) => void;
}

/** Events within this time in ms are one notification: all that a single scan found. */
const togetherMs = 250;

/** The system says within this time in ms that it shows a notification, or never. */
const saidWithinMs = 10_000;

/** Upper bound of notifications on screen; an older one is removed. */
const maxShown = 20;

/**
 * The system's notifications (https://www.electronjs.org/docs/latest/api/notification). Buttons are
 * documented for macOS (signed apps) and Windows; the types of 45.4.1 offer them everywhere, and
 * systems without buttons omit them: the popover, which a click on the body opens, can do the same.
 * Seen with Electron 25 and dunst, a click included; buttons with a stand-in only.
 */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #noticed = new Noticed();
  readonly #weeks: WeekNotices;
  /** Referenced while they are up: a garbage-collected one reports no click. */
  readonly #shown = new Map<Notification, Notice>();
  #jobs: SnapshotJob[] = [];
  #incidents: IncidentView[] = [];
  #timer: NodeJS.Timeout | null = null;
  #saidFailure = false;
  #answeredMs = -Infinity;

  constructor(options: NoticesOptions) {
    this.#options = options;
    this.#weeks = new WeekNotices(options.answer);
  }

  /**
   * Notifies of what the first scan found before there was a listener. What an earlier Curfew told
   * is not told again, but what waits to be seen.
   * @param sinceMs when this Curfew began, wall clock
   */
  begin(jobs: readonly SnapshotJob[], sinceMs: number): void {
    for (const job of jobs) {
      const isNew = needsLook(job) && (job.noticedAt === null || Date.parse(job.noticedAt) >= sinceMs);
      if (isNew || this.#options.awaits(jobKey(job))) this.noticed(job);
    }
  }

  /** When the user last used a notification (`performance.now()`); -Infinity: never. */
  get answeredMs(): number {
    return this.#answeredMs;
  }

  /** A job needs the user; notifies together with what else happens now. */
  noticed(job: SnapshotJob): void {
    this.#jobs.push(job);
    this.#soon();
  }

  ended(incident: IncidentView): void {
    this.#incidents.push(incident);
    this.#soon();
  }

  /** A request from menu or notification failed. */
  failed(message: Said, advice: Said | null): void {
    this.#show(failedNotice(message, advice, this.#options.voice()));
  }

  /** The keys of the settings don't open the popover. */
  shortcutTaken(keys: string): void {
    const { taken, advice } = this.#options.voice().desktop.shortcut;
    this.failed(taken(keys), advice);
  }

  /** Removes notices of jobs ended, kept, or in time again. Tells a week's sum once. */
  follow(snapshot: Snapshot): void {
    const needed = this.#noticed.follow(snapshot);
    for (const [shown, { jobs }] of this.#shown) {
      if (jobs.length === 0 || jobs.some((job) => needed.has(job))) continue;
      this.#shown.delete(shown);
      shown.close();
    }
    void this.#weeks.follow(snapshot, this.#options.voice).then((notice) => {
      if (notice !== null) this.#show(notice);
    });
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
    const { voice: voiceOfNow, awaits, seen } = this.#options;
    const voice = voiceOfNow();
    const wanted = this.#jobs.filter((job) => wantsNotice(job, snapshot));
    const fresh = new Set(this.#noticed.fresh(wanted));
    // What counts only when it is seen is shown again, whatever was shown before.
    const jobs = wanted.filter((job) => fresh.has(job) || awaits(jobKey(job)));
    if (snapshot.pausedUntil === null) seen(this.#jobs.filter((job) => !wanted.includes(job)).map(jobKey));
    const ended = endedNotice(this.#incidents, snapshot, voice);
    this.#jobs = [];
    this.#incidents = [];
    for (const notice of noticesFor(jobs, snapshot, voice)) this.#show(notice);
    if (ended !== null) this.#show(ended);
  }

  #show(notice: Notice): void {
    const { platform, ask, open, warn, awaits, seen } = this.#options;
    if (!Notification.isSupported()) return;
    const shown = new Notification({
      title: notice.title,
      body: bodyFor(platform, notice.body),
      silent: notice.quiet,
      urgency: notice.jobs.length > 0 && notice.actions.length > 0 ? 'normal' : 'low',
      actions: notice.actions.map(({ label }) => ({ type: 'button', text: label })),
    });
    this.#shown.set(shown, notice);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > maxShown && oldest !== undefined) {
      this.#shown.delete(oldest);
      oldest.close();
    }
    const gone = (): void => void this.#shown.delete(shown);
    const cannotShow = (why: string): void => {
      // macOS fails each one of an unsigned app; once is enough.
      if (!this.#saidFailure) warn(`The system shows no notifications of Curfew: ${why}`);
      this.#saidFailure = true;
    };
    let silent: NodeJS.Timeout | null = null;
    const answered = (): void => {
      if (silent !== null) clearTimeout(silent);
      silent = null;
    };
    if (notice.jobs.some(awaits))
      silent = setTimeout(() => {
        if (this.#shown.has(shown)) cannotShow('it says neither that one is shown nor that it failed');
      }, saidWithinMs);
    shown.on('show', () => {
      answered();
      seen(notice.jobs);
    });
    shown.on('click', () => {
      this.#answeredMs = performance.now();
      gone();
      seen(notice.jobs);
      open(notice.place);
    });
    shown.on('action', ({ actionIndex }) => {
      const action = notice.actions[actionIndex];
      this.#answeredMs = performance.now();
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
      answered();
      cannotShow(error);
    });
    shown.show();
  }
}
