/**
 * `npm run test:drift`: plays the newest versions that `npm run agents -- --latest` fetched, and
 * says what is different from the pinned ones: their marks, wrappers, kernel sessions and
 * registries, and what Curfew finds of what they leave. Ends with 1 where anything is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { latestAgents } from '../../../build/agents/latest.ts';
import { type Cell, playOne } from './cell.ts';
import { changes } from './changes.ts';
import { kindOf, realAgents } from './kinds.ts';
import { measuredSchema } from './measured.ts';

const measured = measuredSchema.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8')));

const missedMore = (before: Cell | undefined, now: Cell): readonly string[] =>
  (['commands', 'servers'] as const)
    .filter((of) => now[of].missed > (before?.[of].missed ?? 0))
    .map(
      (of) =>
        `of its ${of} Curfew misses ${now[of].missed}, before ${before?.[of].missed ?? 0}: ${now.short.join(', ')}`,
    );

for (const newest of latestAgents().map(kindOf)) {
  const pinned = realAgents.find(({ agent }) => agent === newest.agent);
  const before = pinned === undefined ? undefined : measured[pinned.folder];
  let found: readonly string[];
  try {
    const { cell, observed } = await playOne(newest, 'killed', 'a look before');
    const expected = before?.cells['killed']?.['a look before'];
    found = [...changes(before?.observed, observed), ...missedMore(expected, cell)];
  } catch (error) {
    found = [`it could not be played: ${String(error).slice(0, 2000)}`];
  }
  console.log(`${newest.name} (pinned: ${pinned?.version ?? 'none'}): ${found.length === 0 ? 'nothing changed' : ''}`);
  for (const one of found) console.log(`  ${one}`);
  if (found.length > 0) process.exitCode = 1;
}
