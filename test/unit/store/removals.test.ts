import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Removal } from '../../../app/history/removal.ts';
import { say } from '../../../app/text/say.ts';
import { History } from '../../../main/store/history/history.ts';
import type { HistoryFilter } from '../../../app/history/filter.ts';
import { exportedIncidents } from '../../../main/store/history/history-filter.ts';
import { historyPlace } from '../../../main/store/history/history-design.ts';
import { pruneHistory, wipeHistory } from '../../../main/store/history/history-retention.ts';
import { latestRemovals, recordRemovals } from '../../../main/store/history/removals.ts';

const day = 86_400_000;

const removal = (atMs: number, path: string): Removal => ({
  atMs,
  kind: 'worktree',
  what: say('worktree'),
  path,
  files: 1,
  bytes: 12,
  why: say('{why}; unchanged for {age}', { why: 'token=ghp_0123456789abcdefghijklmnopqrstuvwxyz', age: '3 d' }),
  by: 'person',
});

const nowMs = 100 * day;

const emptyPlace = () => {
  const folder = mkdtempSync(join(tmpdir(), 'curfew-removals-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return historyPlace(
    join(folder, 'history.db'),
    () => nowMs,
    () => undefined,
  );
};

test('removals are recorded without secrets, newest first, and go with the history', () => {
  const place = emptyPlace();
  expect(latestRemovals(place, 5)).toEqual([]);
  recordRemovals(place, [removal(nowMs - 95 * day, '/old'), removal(nowMs - 2, '/one'), removal(nowMs - 1, '/two')]);
  expect(latestRemovals(place, 5).map(({ path }) => path)).toEqual(['/two', '/one', '/old']);
  expect(latestRemovals(place, 1)).toMatchObject([{ kind: 'worktree', bytes: 12, by: 'person' }]);
  expect(JSON.stringify(latestRemovals(place, 5))).not.toContain('ghp_0123456789abcdefghijklmnop');
  pruneHistory(place, 90, nowMs);
  expect(latestRemovals(place, 5).map(({ path }) => path)).toEqual(['/two', '/one']);
  wipeHistory(place, null);
  expect(latestRemovals(place, 5)).toEqual([]);
});

const filters: readonly (readonly [HistoryFilter, readonly string[]])[] = [
  [{}, ['/home/me/shop/b', '/home/me/tools/a']],
  [{ sinceMs: nowMs - day }, ['/home/me/shop/b']],
  [{ untilMs: nowMs - day }, ['/home/me/tools/a']],
  [{ project: '/home/me/shop' }, ['/home/me/shop/b']],
  [{ text: 'TOOLS home' }, ['/home/me/tools/a']],
  [{ host: 'local' }, ['/home/me/shop/b', '/home/me/tools/a']],
  [{ host: 'web1' }, []],
  [{ agent: 'codex' }, []],
  [{ outcome: 'reaped' }, []],
];

test.each(filters)('the history lets through by %j what was removed: %j', (filter, paths) => {
  const place = emptyPlace();
  recordRemovals(place, [removal(nowMs - 2 * day, '/home/me/tools/a'), removal(nowMs - 1, '/home/me/shop/b')]);
  const record = new History(place);
  expect(record.removals(filter, null).map(({ path }) => path)).toEqual(paths);
  expect(record.removals(filter, 1).map(({ path }) => path)).toEqual(paths.slice(0, 1));
});

test('a document of removals comes in pieces, none of which has them all', () => {
  const paths = Array.from({ length: 20 }, (_, at) => `/tmp/${at}`);
  const removals = paths.map((path) => removal(nowMs, path));
  const pieces = [...exportedIncidents('json', [], removals)];
  expect(JSON.parse(pieces.join(''))).toMatchObject({ incidents: [], removals: paths.map((path) => ({ path })) });
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(pieces.join('').length / 10);
});
