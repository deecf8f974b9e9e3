import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { incidentId } from '../../../app/history/incident-id.ts';
import { outcomes, type IncidentEvent, type Outcome } from '../../../app/history/incident.ts';
import type { EndTotal } from '../../../app/metrics/facts.ts';
import { pruneHistory, wipeHistory } from '../../../main/store/history/history-retention.ts';
import { ended, sampleIntent } from '../../unit/history/sample.ts';
import { emptyFolder, recordIn, type Record } from './support.ts';
import { safe } from '../../unit/safe-text.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2026, 10, 21);

type Ended = Extract<IncidentEvent, { kind: 'ended' }>;

const survivor = { pid: 40, ppid: 1, startTicks: 7, args: safe('deaf'), rssBytes: 1 };

/** Records an incident that began so many days ago, and returns its id. */
const add = (record: Record, days: number, changes: Partial<Ended> = {}): string => {
  const atMs = now - days * dayMs;
  const intent = sampleIntent({ id: incidentId(atMs, days), atMs });
  record.journal.begin(intent);
  record.journal.append(intent.id, ended(atMs + 5, changes));
  return intent.id;
};

const of = (record: Record, outcome: string): EndTotal | undefined =>
  record.history.endTotals().totals.find((total) => total.outcome === outcome);

describe('the totals of ends', () => {
  test('count every outcome with what it freed and what it left', () => {
    const record = recordIn(emptyFolder());
    expect(record.history.endTotals()).toEqual({ kind: 'read', sinceMs: null, totals: [] });
    add(record, 3);
    add(record, 2);
    add(record, 1, { outcome: 'survived', survivors: [survivor, survivor] });
    record.journal.begin(sampleIntent({ id: incidentId(now, 9), atMs: now }));
    expect(of(record, 'reaped')).toEqual({
      agent: 'claude-code',
      outcome: 'reaped',
      ends: 2,
      processes: 4,
      freedBytes: 188_000_000,
      survivors: 0,
    });
    expect(of(record, 'survived')).toMatchObject({ ends: 1, survivors: 2 });
    expect(record.history.endTotals().totals).toHaveLength(2);
  });

  test('stay when old incidents are deleted', () => {
    const record = recordIn(emptyFolder());
    for (const days of [1, 89, 91, 400]) add(record, days);
    expect(pruneHistory(record.place, 90, now)).toBe(2);
    expect(of(record, 'reaped')).toMatchObject({ ends: 4, processes: 8 });
    wipeHistory(record.place, now - 10 * dayMs);
    expect(of(record, 'reaped')).toMatchObject({ ends: 4 });
  });

  test('begin anew, with their moment, when the user deletes the whole record', () => {
    const record = recordIn(emptyFolder());
    add(record, 1);
    const before = Date.now();
    wipeHistory(record.place, null);
    const after = record.history.endTotals();
    expect(after.totals).toEqual([]);
    expect(after.sinceMs).toBeGreaterThanOrEqual(before);
    add(record, 0);
    expect(of(record, 'reaped')).toMatchObject({ ends: 1 });
  });

  test('never go back when an interrupted end is completed, and count no outcome twice', () => {
    const record = recordIn(emptyFolder());
    const none = { processes: 0, rssBytes: 0, cameAndWent: 0, ports: [], locks: [] };
    const id = add(record, 1, { outcome: 'interrupted', freed: none });
    record.journal.append(id, ended(now, { outcome: 'killed' }));
    record.journal.append(id, ended(now + 1, { outcome: 'killed' }));
    record.journal.append(id, ended(now + 2, { outcome: 'interrupted', freed: none }));
    expect(record.all()[0]).toMatchObject({ outcome: 'killed' });
    expect(of(record, 'interrupted')).toMatchObject({ ends: 1 });
    expect(of(record, 'killed')).toMatchObject({ ends: 1, processes: 2 });
  });

  test('only grow, whatever is recorded and deleted in which order', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('end' as const), days: fc.nat(400), outcome: fc.constantFrom(...outcomes) }),
      fc.record({ kind: fc.constant('again' as const), outcome: fc.constantFrom(...outcomes) }),
      fc.record({ kind: fc.constant('prune' as const), days: fc.nat(400) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const record = recordIn(emptyFolder());
        let before: ReadonlyMap<Outcome, number> = new Map();
        let last: string | null = null;
        let number = 0;
        for (const one of steps) {
          if (one.kind === 'prune') pruneHistory(record.place, one.days, now);
          else if (one.kind === 'end') {
            const intent = sampleIntent({
              id: incidentId(now - one.days * dayMs, (number += 1)),
              atMs: now - one.days * dayMs,
            });
            record.journal.begin(intent);
            record.journal.append(intent.id, ended(now, { outcome: one.outcome }));
            last = intent.id;
          } else if (last !== null && record.history.get(last) !== null)
            record.journal.append(last, ended(now, { outcome: one.outcome }));
          const after = new Map(record.history.endTotals().totals.map(({ outcome, ends }) => [outcome, ends]));
          for (const [outcome, ends] of before) expect(after.get(outcome)).toBeGreaterThanOrEqual(ends);
          before = after;
        }
        const begun = steps.filter(({ kind }) => kind === 'end').length;
        expect([...before.values()].reduce((sum, ends) => sum + ends, 0)).toBeGreaterThanOrEqual(begun);
        record.journal.close();
      }),
      { numRuns: 25 },
    );
  });

  test('of a record that an earlier Curfew began are made from what it holds', () => {
    const record = recordIn(emptyFolder());
    for (const days of [1, 2, 3]) add(record, days);
    add(record, 4, { outcome: 'survived', survivors: [survivor] });
    const broken = add(record, 5, { outcome: 'survived', survivors: [survivor] });
    const wanted = record.history.endTotals();
    record.journal.close();
    const file = new DatabaseSync(record.path);
    // What a Curfew before the totals wrote, with one event that can't be read.
    const later = ['end_total', 'counted_since', 'freed_at_once', 'removal'];
    file.exec(`${later.map((table) => `DROP TABLE ${table};`).join('')} PRAGMA user_version = 1`);
    file.prepare("UPDATE event SET body = '{' WHERE incident = ?").run(broken);
    file.close();
    const totals = record.history.endTotals();
    expect(totals.totals.find(({ outcome }) => outcome === 'reaped')).toEqual(
      wanted.totals.find(({ outcome }) => outcome === 'reaped'),
    );
    expect(of(record, 'survived')).toMatchObject({ ends: 2, survivors: 1 });
    expect(totals.sinceMs).toBe(now - 5 * dayMs);
    add(record, 0);
    expect(of(record, 'reaped')).toMatchObject({ ends: 4 });
  });
});
