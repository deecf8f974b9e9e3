/**
 * Plays the matrix of real agents, two sessions at a time, and writes what was seen: `matrix.ts
 * RESULT [again] [PATTERN [ENDING | LOOK | living…]]`. PATTERN selects agents by their folder.
 * What was measured is not played again unless `again` asks.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isPlayed, looks, play, together } from './cell.ts';
import { type Ending, endings } from './endings.ts';
import { isEnding, type RealAgentKind, realAgents } from './kinds.ts';
import { live } from './living.ts';
import { type Measured, measuredSchema } from './measured.ts';
import { missingOf } from './session.ts';

const [file = '', ...words] = process.argv.slice(2);
const isAgain = words[0] === 'again';
const [pattern = '.', ...wanted] = isAgain ? words.slice(1) : words;
const isNoLook = !looks.some((one) => wanted.includes(one));
const wantedLooks = looks.filter((one) => isNoLook || wanted.includes(one));
const read = (): Measured => (existsSync(file) ? measuredSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {});
const measured = read();
const everyEnding = Object.keys(endings) as Ending[];
const wantedEndings = everyEnding.filter((one) => wanted.includes(one));
const ways = wantedEndings.length === 0 && !wanted.includes('living') ? everyEnding : wantedEndings;
const isLivingWanted = wanted.length === 0 || wanted.includes('living');

/** Sessions at a time: they mostly wait. */
const lanes = Number(process.env['CURFEW_TEST_LANES'] ?? 2);

/** Writes down what one session gave; another run may have written since. */
const record = (kind: RealAgentKind, change: (row: Measured[string]) => void): void => {
  const all = read();
  change((all[kind.folder] ??= { name: kind.name, cells: {} }));
  const order = realAgents.map(({ folder }) => folder);
  const rows = Object.entries(all).toSorted(([left], [right]) => order.indexOf(left) - order.indexOf(right));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
};

/** Plays one session; what can't be played is said, and is a failure. */
const tried = async (what: string, playing: () => Promise<string>): Promise<void> => {
  const begunMs = performance.now();
  try {
    const said = await playing();
    console.log(`${what}: ${said} (${Math.round((performance.now() - begunMs) / 1000)} s)`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`${what}: NOT PLAYED: ${String(error).slice(0, 6000)}`);
  }
};

const livingOf = (kind: RealAgentKind) => () =>
  tried(`${kind.name}, living`, async () => {
    const { touched, ended } = await live(kind, 70);
    record(kind, (row) => (row.touched = [...touched]));
    return `${ended} jobs ended; touched: ${touched.join(', ') || 'nothing'}`;
  });

const sessionsOf = (kind: RealAgentKind): readonly (() => Promise<void>)[] => [
  ...(isLivingWanted && (isAgain || measured[kind.folder]?.touched === undefined) ? [livingOf(kind)] : []),
  ...ways
    .filter((ending) => isEnding(kind, ending))
    .flatMap((ending) =>
      together.flatMap((group) => {
        const missing = group
          .filter((look) => wantedLooks.includes(look) && isPlayed(kind, look))
          .filter((look) => isAgain || measured[kind.folder]?.cells[ending]?.[look] === undefined);
        if (missing.length === 0) return [];
        const playing = async (): Promise<string> => {
          const { cells, observed } = await play(kind, ending, missing);
          record(kind, (row) => {
            // Hooks and groups add variables of their own, a terminal others.
            if (ending === 'killed' && missing.includes('a look before')) row.observed = observed;
            row.cells[ending] = { ...row.cells[ending], ...cells };
          });
          return JSON.stringify(cells);
        };
        return [() => tried(`${kind.name}, ${ending}, ${missing.join(' + ')}`, playing)];
      }),
    ),
];

const waiting = realAgents
  .filter((kind) => new RegExp(pattern, 'u').test(kind.folder) && missingOf(kind) === null)
  .flatMap(sessionsOf);
console.log(`${waiting.length} sessions to play`);
const lane = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
};
await Promise.all(Array.from({ length: lanes }, lane));
