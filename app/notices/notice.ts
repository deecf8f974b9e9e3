import { fateOf } from '../contract/claims/fate.ts';
import type { Said } from '../../app/format/said.ts';
import type { Place } from '../contract/app-questions.ts';
import type { IncidentView } from '../contract/views/incident-view.ts';
import { isProbable, canKeep, endsByItself } from '../contract/claims/claims.ts';
import type { Snapshot, SnapshotJob } from '../contract/views/snapshot.ts';
import { agentName } from '../text/agent-name.ts';
import { englishVoice, type Voice } from '../text/voice.ts';
import { projectName } from '../format/project-name.ts';
import { visibleText } from '../format/visible.ts';
import { shortCommand } from '../format/short-command.ts';
import { keepSeconds, type Asked } from '../contract/asked.ts';

export interface NoticeAction {
  readonly label: string;
  readonly question: Asked;
}

/** A notification for the system. Untrusted text in it has no invisible characters or markup. */
export interface Notice {
  /** Its jobs by `jobKey`; it disappears with the last of them. */
  readonly jobs: readonly string[];
  readonly title: string;
  readonly body: string;
  readonly quiet: boolean;
  readonly actions: readonly NoticeAction[];
  /** Target of a click. */
  readonly place: Place;
}

/** More jobs than this share one notification. */
const maxAtOnce = 3;

/** Reasons name files and folders of any length; characters. */
const maxSentenceLength = 300;

/** Identifies a job of a host, in any state. */
export const jobKey = ({ host, id }: Pick<SnapshotJob, 'host' | 'id'>): string => `${host}:${id}`;

/** Returns the age of a job at the time of a snapshot, seconds. */
const ageOf = (job: SnapshotJob, snapshot: Snapshot): number =>
  (Date.parse(snapshot.at) - Date.parse(job.startedAt)) / 1000;

/**
 * Returns the seconds until a job is ended automatically, and whether by the hard cap, which no
 * keep postpones; null: it won't be.
 */
const endOf = (
  job: SnapshotJob,
  snapshot: Snapshot,
): { readonly inSeconds: number; readonly atCap: boolean } | null => {
  const { endsAt, state } = job.verdict;
  const endsAtMs = endsByItself(snapshot) && endsAt !== null ? Date.parse(endsAt) : null;
  const fate = fateOf(state, endsAtMs, null, Date.parse(snapshot.at));
  if (fate.kind !== 'ends') return null;
  const inSeconds = Math.max(0, fate.seconds);
  const untilCap = snapshot.settings.values.backgroundMaxElapsedSecondsHardCap - ageOf(job, snapshot);
  return { inSeconds, atCap: inSeconds >= untilCap - 2 };
};

/** True if the user wants to be told of the job now: not while paused, as the settings say. */
export const wantsNotice = (job: SnapshotJob, snapshot: Snapshot): boolean => {
  if (snapshot.pausedUntil !== null) return false;
  const { notifications, noticeSeconds } = snapshot.settings.values;
  const end = endOf(job, snapshot);
  // The notice before an end is given once, when it is near.
  const endsSoon = end !== null && end.inSeconds <= noticeSeconds + 30;
  return notifications.overdue || (notifications.beforeReap && endsSoon);
};

const reasonOf = ({ verdict, ownerSaid }: SnapshotJob, voice: Voice): string => {
  // Within its limits only a diagnosis is worth telling; the mode is not a reason.
  const told = verdict.reasons.filter(({ code }) => code !== 'observe-mode');
  const diagnosis = verdict.state === 'within' ? told.find(({ code }) => code === 'diagnosis') : undefined;
  const reason = diagnosis ?? told[0];
  if (reason === undefined) return '';
  const scarce = told.some(({ code }) => code === 'memory-scarce') ? ` ${voice.desktop.notification.memoryScarce}` : '';
  return `${sentence(shortCommand(voice.reason(reason, ownerSaid), maxSentenceLength))}${scarce}`;
};

/** Reasons are fragments of sentences. */
const sentence = (text: string): string => {
  const whole = text.charAt(0).toLocaleUpperCase('en') + text.slice(1);
  return /[.!?…]$/u.test(whole) ? whole : `${whole}.`;
};

const whatFollows = (job: SnapshotJob, snapshot: Snapshot, voice: Voice): string => {
  const words = voice.desktop.notification;
  const end = endOf(job, snapshot);
  if (end === null) return words.stays;
  if (end.inSeconds < 1) return words.endsNow;
  return end.atCap ? words.endsAtCap(end.inSeconds) : words.endsIn(end.inSeconds);
};

const titleOf = (job: SnapshotJob, voice: Voice): string => {
  const words = voice.desktop.notification;
  const project = projectName(job.project);
  const what = (words.states as Readonly<Record<string, string>>)[job.verdict.state] ?? words.otherState;
  return words.title(
    visibleText(agentName(job.agent, job.rule)),
    project === null ? null : shortCommand(project, 40),
    what,
  );
};

const jobNotice = (job: SnapshotJob, snapshot: Snapshot, voice: Voice): Notice => {
  const words = voice.desktop.notification;
  const target = { job: job.id, host: job.host };
  const reapable = snapshot.platform.canReap && job.verdict.state !== 'protected';
  const reap: NoticeAction = { label: words.reap, question: { name: 'job.reap', input: target } };
  const keep: NoticeAction = {
    label: words.keep,
    question: { name: 'job.keep', input: { ...target, seconds: keepSeconds } },
  };
  // What is only probable is never ended by itself, so there is no end to put off.
  const mine: readonly NoticeAction[] =
    job.host === 'local' ? [{ label: words.mine, question: { name: 'job.mine', input: target } }] : [];
  const spare = isProbable(job) ? mine : canKeep(job) ? [keep] : [];
  return {
    jobs: [jobKey(job)],
    title: titleOf(job, voice),
    body: [shortCommand(job.command, 120), reasonOf(job, voice), whatFollows(job, snapshot, voice)]
      .filter((text) => text !== '')
      .join('\n'),
    quiet: !snapshot.settings.values.notifications.sound,
    actions: [...(reapable ? [reap] : []), ...spare],
    place: { window: 'popover', job: job.id },
  };
};

const groupNotice = (
  jobs: readonly SnapshotJob[],
  snapshot: Snapshot,
  words: Voice['desktop']['notification'],
): Notice => ({
  jobs: jobs.map(jobKey),
  title: words.several(jobs.length),
  body: [
    ...jobs.slice(0, maxAtOnce).map((job) => shortCommand(job.command, 60)),
    words.others(jobs.length - maxAtOnce),
  ].join('\n'),
  quiet: !snapshot.settings.values.notifications.sound,
  actions: [],
  place: { window: 'popover', job: null },
});

/** Returns the notifications for jobs noticed at once: one each, or one for all. */
export const noticesFor = (
  jobs: readonly SnapshotJob[],
  snapshot: Snapshot,
  voice: Voice = englishVoice,
): readonly Notice[] =>
  jobs.length > maxAtOnce
    ? [groupNotice(jobs, snapshot, voice.desktop.notification)]
    : jobs.map((job) => jobNotice(job, snapshot, voice));

/** Describes a reaping that has ended. */
export type EndedIncident = Pick<IncidentView, 'id' | 'command' | 'outcome' | 'freed'>;

/**
 * Returns one quiet line after reapings; null if the settings want none or nothing was signalled.
 * Survivors are always reported.
 */
export const endedNotice = (
  incidents: readonly EndedIncident[],
  snapshot: Snapshot,
  voice: Voice = englishVoice,
): Notice | null => {
  const words = voice.desktop.notification;
  const survivor = incidents.find(({ outcome }) => outcome === 'survived');
  const ended = incidents.filter(({ outcome }) => outcome === 'reaped' || outcome === 'killed');
  const newest = survivor ?? ended.at(-1);
  if (newest === undefined) return null;
  if (survivor === undefined && !snapshot.settings.values.notifications.afterReap) return null;
  const lines = ended
    .slice(0, maxAtOnce)
    .map(({ command, freed }) => words.ended(shortCommand(command, 80), voice.freed(freed)));
  return {
    jobs: [],
    title: survivor === undefined ? words.endedTitle(ended.length) : words.survivedTitle,
    body: survivor === undefined ? lines.join('\n') : words.survived(shortCommand(survivor.command, 120)),
    quiet: survivor === undefined,
    actions: [],
    place: { window: 'history', incident: newest.id },
  };
};

/** Describes the failure of an action requested outside a window. */
export const failedNotice = (message: Said, advice: Said | null, { desktop, said }: Voice = englishVoice): Notice => ({
  jobs: [],
  title: desktop.notification.failedTitle,
  body: [message, advice]
    .filter((text) => text !== null)
    .map((text) => shortCommand(said(text), maxSentenceLength))
    .join('\n'),
  quiet: true,
  actions: [],
  place: { window: 'popover', job: null },
});
