import { describe, expect, test } from 'vitest';
import type { Bridge } from '../../../app/contract/bridge.ts';
import type { Repeat } from '../../../app/contract/history-questions.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { moment } from '../../../app/format/moment.ts';
import { WeekNotices, weekNotice, weekOf } from '../../../app/notices/week.ts';
import { germanVoice } from '../../../app/text/de/voice.ts';
import { englishVoice } from '../../../app/text/voice.ts';
import { snapshot } from '../contract/sample-snapshot.ts';
import { safe } from '../safe-text.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
/** A Monday at nine by the wall clock of here. */
const mondayMs = new Date(2026, 10, 23, 9).getTime();

const freedThisWeek = { processes: 132, rssBytes: 14_200_000_000, since: null };
const at = (atMs: number, more: Partial<Snapshot> = {}): Snapshot => ({
  ...snapshot,
  at: moment(atMs),
  freedThisWeek,
  ...more,
});

const repeat = (command: string, incidents: number, project: string | null = '/home/mara/shop'): Repeat => ({
  id: `incident ${command}`,
  at: moment(mondayMs - hourMs),
  agent: 'claude-code',
  project: project === null ? null : safe(project),
  command: safe(command),
  incidents,
  freedBytes: 1,
});
const repeats = [repeat('npm run dev', 9), repeat('tail -f <b>log</b>', 4, null), repeat('sleep 1', 3), repeat('x', 2)];

/** Answers as a home does where the sum of `before` was told last. */
const home = (before: string | null, found: readonly Repeat[] = repeats) => {
  const asked: string[] = [];
  let told = before;
  const ask = (async (name: string, input: { readonly now?: string }) => {
    asked.push(name);
    if (name === 'history.repeats') return { ok: true, value: { repeats: found } };
    const value = { before: told };
    told = input.now ?? told;
    return { ok: true, value };
  }) as unknown as Bridge['ask'];
  return { asked, ask };
};

const english = () => englishVoice;

describe('the sum of a week', () => {
  test('belongs to weeks that begin on Monday at nine where the user is', () => {
    expect(weekOf(mondayMs)).toBe(weekOf(mondayMs - 1) + 1);
    expect(weekOf(mondayMs + weekMs / 2)).toBe(weekOf(mondayMs));
  });

  test('is one quiet notification with what repeats most, a rule for the first, and its end', () => {
    expect(weekNotice(at(mondayMs), repeats, englishVoice)).toEqual({
      jobs: [],
      title: 'Freed this week: 14 GB, 132 processes',
      body: '9 times in shop: npm run dev\n4 times: tail -f <b>log</b>\n3 times in shop: sleep 1',
      quiet: true,
      actions: [
        {
          label: 'Never end npm run dev',
          question: { name: 'history.exempt', input: { id: 'incident npm run dev', scope: 'command' } },
        },
        {
          label: 'No weekly summary',
          question: { name: 'settings.change', input: { changes: { 'notifications.digest': false } } },
        },
      ],
      place: { window: 'popover', job: null },
    });
    const german = weekNotice(at(mondayMs), repeats, germanVoice);
    expect(german.title).toBe('Diese Woche frei geworden: 14 GB, 132 Prozesse');
    expect(german.body).toContain('9-mal in shop: npm run dev');
    expect(german.actions.map(({ label }) => label)).toEqual(['Nie beenden: npm run dev', 'Keine Wochenübersicht']);
  });

  test('has no rule where nothing repeats', () => {
    expect(weekNotice(at(mondayMs), [], englishVoice)).toMatchObject({
      body: '',
      actions: [{ label: 'No weekly summary' }],
    });
  });

  test('is told once in a week, by whichever window asks first', async () => {
    const { ask, asked } = home(String(weekOf(mondayMs) - 1));
    const first = new WeekNotices(ask);
    expect(await first.follow(at(mondayMs), english)).toMatchObject({ title: 'Freed this week: 14 GB, 132 processes' });
    expect(await first.follow(at(mondayMs + hourMs), english)).toBeNull();
    expect(asked).toEqual(['app.told', 'history.repeats']);
    expect(await new WeekNotices(ask).follow(at(mondayMs + hourMs), english)).toBeNull();
    expect(await first.follow(at(mondayMs + weekMs), english)).not.toBeNull();
  });

  test('waits for the end of a pause', async () => {
    const weeks = new WeekNotices(home('1').ask);
    expect(await weeks.follow(at(mondayMs, { pausedUntil: 'forever' }), english)).toBeNull();
    expect(await weeks.follow(at(mondayMs), english)).not.toBeNull();
  });

  test('is not told in the first week of a home, without anything freed, or unwanted', async () => {
    const { settings } = snapshot;
    const off = { ...settings.values, notifications: { ...settings.values.notifications, digest: false } };
    expect(await new WeekNotices(home(null).ask).follow(at(mondayMs), english)).toBeNull();
    for (const more of [
      { freedThisWeek: { ...freedThisWeek, processes: 0 } },
      { settings: { ...settings, values: off } },
    ])
      expect(await new WeekNotices(home('1').ask).follow(at(mondayMs, more), english)).toBeNull();
  });
});
