import { describe, expect, test } from 'vitest';
import type { Snapshot, SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { PageNotices } from '../../../app/notices/noticed.ts';
import { incidentView } from '../../../app/documents/incident.ts';
import { snapshot } from '../contract/sample-snapshot.ts';
import { incident, snapshotJob } from '../contract/samples.ts';
import { overdue } from '../shell/overdue.ts';

const now = (jobs: readonly SnapshotJob[], more: Partial<Snapshot> = {}): Snapshot => ({
  ...snapshot,
  jobs: [...jobs],
  ...more,
});

const titles = (page: PageNotices, at: Snapshot): readonly string[] =>
  page.follow(at).notices.map(({ title }) => title);

describe('what a page tells', () => {
  test('nothing of what it showed when it was opened', () => {
    const page = new PageNotices();
    expect(titles(page, now([overdue('a')]))).toEqual([]);
    expect(titles(page, now([overdue('a')]))).toEqual([]);
  });

  test('each job once for each state, and again when it needed no look meanwhile', () => {
    const page = new PageNotices();
    page.follow(now([]));
    expect(titles(page, now([overdue('a')]))).toEqual(['Claude Code in shop: a command is overdue']);
    expect(titles(page, now([overdue('a')]))).toEqual([]);
    const verdict = { ...overdue('a').verdict, state: 'past-cap' } as const;
    expect(titles(page, now([overdue('a', { verdict })]))).toEqual([
      'Claude Code in shop: a command is past the hard cap',
    ]);
    expect(titles(page, now([snapshotJob('a')]))).toEqual([]);
    expect(titles(page, now([overdue('a')]))).toHaveLength(1);
  });

  test('more than three at once as one, and none while paused or when the settings say so', () => {
    const many = ['a', 'b', 'c', 'd'].map((id) => overdue(id));
    const page = new PageNotices();
    page.follow(now([]));
    expect(titles(page, now(many))).toEqual(['4 background commands need a look']);
    const { values } = snapshot.settings;
    const without = { ...values, notifications: { ...values.notifications, overdue: false, beforeReap: false } };
    for (const more of [{ pausedUntil: 'forever' as const }, { settings: { ...snapshot.settings, values: without } }]) {
      const quiet = new PageNotices();
      quiet.follow(now([]));
      expect(titles(quiet, now(many, more))).toEqual([]);
    }
  });

  test('what came of a reaping, once, when it is over; and not what is only being ended', () => {
    const ended = { ...incidentView(incident), outcome: 'reaped' as const };
    const page = new PageNotices();
    page.follow(now([], { incidents: [] }));
    expect(titles(page, now([], { incidents: [{ ...ended, outcome: null }] }))).toEqual([]);
    expect(titles(page, now([], { incidents: [ended] }))).toEqual(['Curfew ended a command']);
    expect(titles(page, now([], { incidents: [ended] }))).toEqual([]);
  });

  test('which jobs still need a look, so that the rest can be taken away', () => {
    const page = new PageNotices();
    expect([...page.follow(now([overdue('a'), snapshotJob('b')])).needing]).toEqual(['local:a']);
  });
});
