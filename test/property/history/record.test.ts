import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvHeader, csvLine } from '../../../app/text/csv.ts';
import { foldIncident, interruption } from '../../../app/history/fold.ts';
import { historyBars } from '../../../app/history/bars.ts';
import { incidentId, incidentRandomRange } from '../../../app/history/incident-id.ts';
import { recordableEvent, recordableIntent, type Redact } from '../../../app/history/redaction.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import { event, intent, moment } from './arbitraries.ts';
import { safe } from '../../unit/safe-text.ts';

const incidentIdPattern = /^[0-9a-hjkmnp-tv-z]{14}$/u;

const events = fc.array(event, { maxLength: 6 });

test('what was recorded is read back as it was', () => {
  fc.assert(
    fc.property(intent, event, (someIntent, someEvent) => {
      expect(storedIntent(JSON.stringify(someIntent))).toEqual(JSON.parse(JSON.stringify(someIntent)));
      expect(storedEvent(JSON.stringify(someEvent))).toEqual(JSON.parse(JSON.stringify(someEvent)));
    }),
  );
});

test('reading never throws, for any content of the file', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.anything().map((value) => JSON.stringify(value) ?? ''),
      ),
      (body) => {
        storedIntent(body);
        storedEvent(body);
      },
    ),
  );
});

test('a damaged intent is read as none or as one that can be shown', () => {
  const damaged = fc
    .tuple(intent, fc.dictionary(fc.constantFrom(...Object.keys(fc.sample(intent, 1)[0] ?? {})), fc.anything()))
    .map(([whole, damage]) => JSON.stringify({ ...whole, ...damage }));
  fc.assert(
    fc.property(damaged, (body) => {
      const read = storedIntent(body);
      if (read === null) return;
      expect(csvLine(foldIncident(read, []))).toMatch(/\r\n$/);
    }),
  );
});

test('folding loses no event, and there is an outcome exactly if there is an ending', () => {
  fc.assert(
    fc.property(intent, events, (someIntent, some) => {
      const incident = foldIncident(someIntent, some);
      expect(incident.events).toEqual(some);
      expect(incident.signals).toHaveLength(some.filter(({ kind }) => kind === 'signal').length);
      expect(incident.outcome === null).toBe(!some.some(({ kind }) => kind === 'ended'));
      expect(incident.tookMs ?? 0).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('an incident is interrupted only if no other outcome is recorded', () => {
  fc.assert(
    fc.property(intent, events, (someIntent, some) => {
      const said = some.some((one) => one.kind === 'ended' && one.outcome !== 'interrupted');
      const closed = [...some, interruption(foldIncident(someIntent, some), 5)];
      expect(foldIncident(someIntent, closed).outcome === 'interrupted').toBe(!said);
    }),
  );
});

test('an interruption claims no more dead than the record names, nor more memory than they had', () => {
  fc.assert(
    fc.property(intent, events, (someIntent, some) => {
      const { freed } = interruption(foldIncident(someIntent, some), 5);
      const dead = new Set(some.flatMap((one) => (one.kind === 'died' ? one.pids : [])));
      expect(freed.processes).toBe(dead.size);
      const had = someIntent.processes.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
      expect(freed.rssBytes).toBeLessThanOrEqual(had);
    }),
  );
});

test('recording twice changes nothing more than recording once', () => {
  const hide: Redact = (text) => safe(text.replaceAll('npm', '***'));
  fc.assert(
    fc.property(intent, event, (someIntent, someEvent) => {
      const once = recordableIntent(someIntent, hide);
      expect(recordableIntent(once, hide)).toEqual(once);
      const onceEvent = recordableEvent(someEvent, hide);
      expect(recordableEvent(onceEvent, hide)).toEqual(onceEvent);
    }),
  );
});

test('ids sort like their times', () => {
  const random = fc.nat({ max: incidentRandomRange - 1 });
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 1e12 }), random, random, (atMs, later, first, second) => {
      expect(incidentId(atMs, first) < incidentId(atMs + later, second)).toBe(true);
      expect(incidentId(atMs, first)).toMatch(incidentIdPattern);
    }),
  );
});

test('a line of CSV has as many cells as the header, in quotes that close', () => {
  fc.assert(
    fc.property(intent, events, (someIntent, some) => {
      const line = csvLine(foldIncident(someIntent, some));
      const outside = line.replaceAll(/"(?:[^"]|"")*"/g, '');
      expect(outside).not.toContain('"');
      expect(outside.split(',')).toHaveLength(csvHeader.split(',').length);
    }),
  );
});

test('no incident is missing from a chart of at most 400 bars, and none is in it twice', () => {
  const stretches = fc
    .array(fc.record({ atMs: moment.map((at) => at * 1), ended: fc.nat({ max: 9 }), days: fc.nat({ max: 390 }) }), {
      minLength: 1,
    })
    .map((list) =>
      list
        .map(({ atMs, ended, days }) => ({
          atMs: Math.floor((atMs + days * 86_400_000) / 900_000) * 900_000,
          ended,
          survived: 0,
          other: 0,
          freedBytes: 1,
        }))
        .toSorted((left, right) => left.atMs - right.atMs),
    );
  const quarters = fc.integer({ min: -48, max: 56 }).map((quarter) => quarter * 15);
  fc.assert(
    fc.property(stretches, quarters, (list, offset) => {
      const { bars } = historyBars(list, () => offset);
      const sum = (values: readonly { readonly ended: number }[]): number =>
        values.reduce((total, { ended }) => total + ended, 0);
      expect(sum(bars)).toBe(sum(list));
      expect(bars.length).toBeLessThanOrEqual(400);
      for (const [index, bar] of bars.entries()) {
        const next = bars[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
        const inside = list.filter(({ atMs }) => atMs >= bar.atMs && atMs < next);
        expect(bar.ended).toBe(sum(inside));
      }
    }),
  );
});
