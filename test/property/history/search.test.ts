import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchText, type HistoryFilter } from '../../../app/history/filter.ts';
import { matchesFilter } from '../../unit/history/matches-filter.ts';
import { foldIncident } from '../../../app/history/fold.ts';
import { outcomes, type Incident } from '../../../app/history/incident.ts';
import { storedEvent, storedIntent } from '../../../app/history/stored.ts';
import { agentIds } from '../../../app/agents/common/agent-id.ts';
import { History } from '../../../main/store/history/history.ts';
import { historyPlace } from '../../../main/store/history/history-design.ts';
import { HistoryJournal } from '../../../main/store/history/journal.ts';
import { event, hostileText, intent, moment } from './arbitraries.ts';
import { safe } from '../../unit/safe-text.ts';

const nullable = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });

const filter: fc.Arbitrary<HistoryFilter> = fc.record(
  {
    sinceMs: nullable(moment),
    untilMs: nullable(moment),
    agent: nullable(fc.constantFrom(...agentIds, 'nobody', '\uD800')),
    project: nullable(
      fc.oneof(fc.constantFrom('/', 'shop', 'me/shop', '/home/me', '/home/me/shop/', '%', ''), hostileText),
    ),
    outcome: nullable(fc.constantFrom(...outcomes, 'unfinished' as const)),
    host: nullable(fc.constantFrom('local', 'elsewhere', '\uD800')),
    text: nullable(hostileText),
  },
  { requiredKeys: [] },
);

const newestFirst = (left: Incident, right: Incident): number =>
  right.atMs - left.atMs || (left.id < right.id ? 1 : -1);

/** What a reader of the same record must see: intents and events as JSON keeps them. */
const written = fc
  .uniqueArray(fc.tuple(intent, fc.array(event, { maxLength: 4 })), { selector: ([{ id }]) => id, maxLength: 12 })
  .map((list) =>
    list.flatMap(([someIntent, some]) => {
      const read = storedIntent(JSON.stringify(someIntent));
      return read === null ? [] : [{ intent: someIntent, events: some, read }];
    }),
  );

test('the database lets through what the filter lets through, in order, by page, by stream and by count', () => {
  fc.assert(
    fc.property(
      written,
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      fc.nat({ max: 5 }),
      (record, filters, skip) => {
        const folder = mkdtempSync(join(tmpdir(), 'curfew-history-'));
        try {
          const notices: unknown[] = [];
          const place = historyPlace(
            join(folder, 'history.db'),
            () => 0,
            (notice) => notices.push(notice),
          );
          const journal = new HistoryJournal(place, safe);
          journal.together(() => {
            for (const one of record) journal.begin(one.intent);
            for (const one of record) for (const some of one.events) journal.append(one.intent.id, some);
          });
          journal.close();

          const all = record
            .map((one) =>
              foldIncident(
                one.read,
                one.events.flatMap((some) => storedEvent(JSON.stringify(some)) ?? []),
              ),
            )
            .toSorted(newestFirst);
          const history = new History(place);
          for (const some of filters) {
            const expected = all.filter((incident) => matchesFilter(incident, some));
            expect([...history.query(some)]).toEqual(expected);
            const page = history.page(some, skip, 3);
            expect(page).toEqual({ total: expected.length, incidents: expected.slice(skip, skip + 3) });
            const before = expected[0] ?? null;
            const rest = before === null ? [] : expected.slice(1);
            expect([...history.query({ ...some, before })]).toEqual(rest);
            const overview = history.overview(some);
            expect(overview.incidents).toBe(expected.length);
            expect(overview.processes).toBe(expected.reduce((sum, { freed }) => sum + freed.processes, 0));
            expect(new Set(overview.agents)).toEqual(new Set(expected.map(({ agent }) => agent)));
            const groups = Map.groupBy(expected, (one) => `${searchText(one)}\n${one.agent}`).values();
            const repeated = [...groups].filter(({ length }) => length > 1).map(({ length }) => length);
            expect(history.repeats(some, 1000).map(({ incidents }) => incidents)).toEqual(
              repeated.toSorted((left, right) => right - left),
            );
            const counted = history.quarters(some).reduce((sum, bar) => sum + bar.ended + bar.survived + bar.other, 0);
            expect(counted).toBe(expected.length);
          }
          expect(history.unfinished()).toEqual(all.filter(({ outcome }) => outcome === null).toReversed());
          expect(notices).toEqual([]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    ),
    { numRuns: 60 },
  );
});
