import { safe } from '../ui/scene/safe.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { HistoryFilter } from '../../app/history/filter.ts';
import { incidentId } from '../../app/history/incident-id.ts';
import { openDatabase } from '../../main/store/database/database.ts';
import { History } from '../../main/store/history/history.ts';
import { historyPlace } from '../../main/store/history/history-design.ts';
import { putEvent, putIntent } from '../../main/store/history/journal-rows.ts';
import { inTransaction } from '../../main/store/database/sqlite.ts';
import { ended, sampleIntent, sent } from '../unit/history/sample.ts';
import type { Bench, Figure } from './bench.ts';
import { compare, growthExponent } from './measure.ts';

const sizes = [1_000, 10_000, 100_000] as const;
/** The design's bar for a filtered page of 100,000 incidents, milliseconds. */
const maxRatio = 20;
const pageSize = 50;
const quarterHourMs = 900_000;
const agents = ['claude-code', 'codex', 'gemini', 'copilot'] as const;
const commands = ['npm run dev | tee log', 'sleep 3600', 'pytest -x tests/api', 'cargo watch -x test'] as const;

const fill = (path: string, from: number, to: number): void => {
  const place = historyPlace(path, Date.now, () => undefined);
  const { connection, close } = openDatabase(place);
  inTransaction(connection, () => {
    for (let number = from; number < to; number++) {
      const atMs = Date.UTC(2026, 0, 1) + number * quarterHourMs;
      const id = incidentId(atMs, number);
      const agent = agents[number % agents.length] ?? 'codex';
      // Half of them repeat, as in a record of a year.
      const command = `${commands[(number * 7) % commands.length] ?? ''} # ${number % 2 === 0 ? number : number % 200}`;
      putIntent(
        connection,
        sampleIntent({ id, atMs, agent, command, project: safe(`/home/me/project-${number % 40}`) }),
      );
      putEvent(connection, id, sent(atMs + 5));
      putEvent(connection, id, ended(atMs + 180, number % 9 === 0 ? { outcome: 'survived' } : {}));
    }
  });
  close();
};

/** Returns how many incidents a page of this filter shows. */
const pageOf =
  (filter: HistoryFilter) =>
  (history: History): number => {
    const { total, incidents } = history.page(filter, 0, pageSize);
    return Math.min(total, incidents.length);
  };

const questions: readonly (readonly [string, (history: History) => number])[] = [
  ['the newest page, with its total', pageOf({})],
  ['a page of one agent and one outcome, with its total', pageOf({ agent: 'codex', outcome: 'survived' })],
  ['a page by words of the command, with its total', pageOf({ text: 'pytest 77' })],
  ['what repeats', (history) => history.repeats({}, 12).length],
];

/** Measures a page of the history, beside a bare count of the table's rows with SQLite. */
export const historyBench: Bench = {
  name: 'history',
  run: async (progress) => {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-bench-history-'));
    const path = join(folder, 'history.db');
    try {
      const history = new History(historyPlace(path, Date.now, () => undefined));
      const figures: Figure[] = [];
      const points = new Map<string, [number, number][]>(questions.map(([name]) => [name, []]));
      let filled = 0;
      for (const size of sizes) {
        progress(`recording ${size} incidents`);
        fill(path, filled, size);
        filled = size;
        for (const [what, ask] of questions) {
          const ours = (): void => {
            if (ask(history) === 0) throw new Error(`${what}: nothing was found`);
          };
          const theirs = (): void => {
            const connection = new DatabaseSync(path, { readOnly: true });
            connection.prepare('SELECT count(*) FROM event').get();
            connection.close();
          };
          const measured = await compare(ours, theirs, 15);
          points.get(what)?.push([size, measured.ourLeast]);
          const { ours: wall, theirs: theirWall, ratio, ourCpu, theirCpu } = measured;
          const figure = (how: string, one: number, other: number, times: number, limit: number | null): Figure => ({
            what: `history: ${what}${how}`,
            comparedWith: 'SELECT count(*) FROM event',
            at: size,
            unit: 'ms',
            ours: one,
            theirs: other,
            ratio: times,
            bar: null,
            most: limit,
          });
          figures.push(figure('', wall, theirWall, ratio, null));
          // The bar is for an idle machine: there both clocks agree.
          if (size === sizes.at(-1))
            figures.push(figure(', processor time', ourCpu, theirCpu, ourCpu / theirCpu, maxRatio));
        }
      }
      for (const [what, [first, , last]] of points) {
        if (first === undefined || last === undefined) throw new Error('not all sizes were measured');
        const ours = growthExponent({ at: first[0], ms: first[1] }, { at: last[0], ms: last[1] });
        figures.push({
          what: `history: ${what}: growth from ${first[0]} to ${last[0]}`,
          comparedWith: 'linear growth',
          at: last[0],
          unit: 'exponent',
          ours,
          theirs: 1,
          ratio: ours,
          bar: 1,
        });
      }
      const lines = [...points].map(([name, of]) => ({ name, points: of }));
      return {
        figures,
        plots: [{ file: 'history', title: 'A page of the history', x: 'incidents', y: 'milliseconds', lines }],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
