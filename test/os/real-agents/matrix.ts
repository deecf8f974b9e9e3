/**
 * Plays the matrix of real agents, one session after the other, and writes what was seen:
 * `matrix.ts RESULT [PATTERN [ENDING | LOOK | living…]]`. PATTERN selects agents by their folder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isPlayed, looks, play } from './cell.ts';
import { type Ending, endings, needsTerminal } from './endings.ts';
import { type RealAgentKind, realAgents } from './kinds.ts';
import { live } from './living.ts';
import { type Measured, measuredSchema } from './measured.ts';

const [file = '', pattern = '.', ...wanted] = process.argv.slice(2);
const wantedLooks = looks.filter((one) => wanted.includes(one));
const measured: Measured = existsSync(file) ? measuredSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
const kinds = realAgents.filter(({ folder }) => new RegExp(pattern, 'u').test(folder));
const all = Object.keys(endings) as Ending[];
const wantedEndings = all.filter((one) => wanted.includes(one));
const ways = wantedEndings.length === 0 && !wanted.includes('living') ? all : wantedEndings;

const rowOf = (kind: RealAgentKind): Measured[string] => (measured[kind.folder] ??= { name: kind.name, cells: {} });

/** Plays one cell; what can't be played is said, and is a failure. */
const tried = async (what: string, playing: () => Promise<string>): Promise<void> => {
  const begunMs = performance.now();
  try {
    const said = await playing();
    writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
    console.log(`${what}: ${said} (${Math.round((performance.now() - begunMs) / 1000)} s)`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`${what}: NOT PLAYED: ${String(error).slice(0, 3000)}`);
  }
};

for (const kind of kinds) {
  if (wanted.length === 0 || wanted.includes('living'))
    await tried(`${kind.name}, living`, async () => {
      const { touched, ended } = await live(kind, 70);
      rowOf(kind).touched = [...touched];
      return `${ended} jobs ended; touched: ${touched.join(', ') || 'nothing'}`;
    });
  for (const ending of ways)
    for (const look of (wantedLooks.length === 0 ? looks : wantedLooks).filter((one) => isPlayed(kind, one))) {
      await tried(`${kind.name}, ${ending}, ${look}`, async () => {
        const { cell, observed } = await play(kind, ending, look);
        const row = rowOf(kind);
        // Hooks add variables of their own, a terminal others.
        if (look !== 'hooks only' && !needsTerminal(ending)) row.observed = observed;
        (row.cells[ending] ??= {})[look] = cell;
        return JSON.stringify(cell);
      });
    }
}
