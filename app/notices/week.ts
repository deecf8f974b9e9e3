import type { QuestionInput } from '../contract/contract.ts';
import type { Bridge } from '../contract/bridge.ts';
import type { Repeat } from '../contract/history-questions.ts';
import type { Snapshot } from '../contract/views/snapshot.ts';
import { formatBytes } from '../format/bytes.ts';
import { moment } from '../format/moment.ts';
import { projectName } from '../format/project-name.ts';
import { shortCommand } from '../format/short-command.ts';
import type { Voice } from '../text/voice.ts';
import type { Notice } from './notice.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
/** The first Monday since the epoch, at nine: a sum is told when it can be read. */
const firstMs = (4 * 24 + 9) * hourMs;

/** Returns the number of the week by the wall clock of the user; it begins on Monday at nine. */
export const weekOf = (nowMs: number): number =>
  Math.floor((nowMs - new Date(nowMs).getTimezoneOffset() * 60_000 - firstMs) / weekMs);

/** Only what repeats most is worth a rule. */
const maxRepeats = 3;

/** Returns what asks for the repeats of the seven days before. */
export const repeatsOfWeek = (nowMs: number): QuestionInput<'history.repeats'> => ({
  filter: { since: moment(nowMs - weekMs), until: moment(nowMs) },
});

/** Returns those of a week that are told: the most frequent. */
export const worstOf = (repeats: readonly Repeat[]): readonly Repeat[] => repeats.slice(0, maxRepeats);

/**
 * Returns the sum of a week as one quiet notification, with a rule for what repeats most and a way
 * to have no more of these. A click leads to the jobs, above which the same stands.
 */
export const weekNotice = (
  { freedThisWeek: { processes, rssBytes, since } }: Snapshot,
  repeats: readonly Repeat[],
  { desktop: { tray, notification } }: Voice,
): Notice => {
  const [worst] = repeats;
  return {
    jobs: [],
    title: tray.freed(processes, formatBytes(rssBytes), since?.slice(0, 10) ?? null),
    body: worstOf(repeats)
      .map(({ command, project, incidents }) => {
        const folder = projectName(project);
        return notification.repeated(
          shortCommand(command, 60),
          folder === null ? null : shortCommand(folder, 40),
          incidents,
        );
      })
      .join('\n'),
    quiet: true,
    actions: [
      ...(worst === undefined
        ? []
        : [
            {
              label: notification.neverEnd(shortCommand(worst.command, 24)),
              question: { name: 'history.exempt' as const, input: { id: worst.id, scope: 'command' as const } },
            },
          ]),
      {
        label: notification.noWeek,
        question: { name: 'settings.change', input: { changes: { 'notifications.digest': false } } },
      },
    ],
    place: { window: 'popover', job: null },
  };
};

/** Finds when the sum of a week is to be told, once in each for all windows and browsers. */
export class WeekNotices {
  readonly #ask: Bridge['ask'];
  /** The week that was asked about last. */
  #week: number | null = null;

  constructor(ask: Bridge['ask']) {
    this.#ask = ask;
  }

  /** Returns the notification; null: told, paused, unwanted, nothing freed, or the first week. */
  async follow(snapshot: Snapshot, voice: () => Voice): Promise<Notice | null> {
    const nowMs = Date.parse(snapshot.at);
    const week = weekOf(nowMs);
    if (week === this.#week || snapshot.pausedUntil !== null) return null;
    this.#week = week;
    const told = await this.#ask('app.told', { what: 'week-notice', now: String(week), seen: true });
    const { freedThisWeek, settings } = snapshot;
    if (!told.ok || told.value.before === null || told.value.before === String(week)) return null;
    if (!settings.values.notifications.digest || freedThisWeek.processes === 0) return null;
    const found = await this.#ask('history.repeats', repeatsOfWeek(nowMs));
    return weekNotice(snapshot, found.ok ? found.value.repeats : [], voice());
  }
}
