/**
 * `npm run test:drift`: plays the newest versions that `npm run agents -- --latest` fetched, and
 * says what is different from the pinned ones: their marks, wrappers, kernel sessions and
 * registries, what Curfew finds of what they leave, and what its doctor says of their version. Ends
 * with 1 where anything is.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCurfew } from '../scene/curfew.ts';
import { Scene } from '../scene/scene.ts';
import { latestAgents } from '../../../build/agents/latest.ts';
import { type Cell, playOne } from './cell.ts';
import { changes } from './changes.ts';
import { kindOf, type RealAgentKind, realAgents } from './kinds.ts';
import { measuredSchema } from './measured.ts';
import { startModel, startSession, withAgents, writeServers } from './session.ts';
import { steps } from './shapes.ts';

const measured = measuredSchema.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'measured.json'), 'utf8')));

const missedMore = (before: Cell | undefined, now: Cell): readonly string[] =>
  (['commands', 'servers'] as const)
    .filter((of) => now[of].missed > (before?.[of].missed ?? 0))
    .map(
      (of) =>
        `of its ${of} Curfew misses ${now[of].missed}, before ${before?.[of].missed ?? 0}: ${now.short.join(', ')}`,
    );

/** What `curfew doctor` says of the version of a living session; empty: nothing. */
const saidByDoctor = async (kind: RealAgentKind): Promise<readonly string[]> => {
  const stage = await Scene.open(withAgents);
  try {
    writeServers(stage);
    await startModel(stage);
    await startSession(stage, kind, 'doctor', steps);
    const { stdout } = await runCurfew(stage, ['doctor', '--json']);
    return [...stdout.matchAll(/"([^"]*is newer than the newest version[^"]*)"/gu)].map(([, text = '']) => text);
  } finally {
    await stage.close();
  }
};

for (const newest of latestAgents().map(kindOf)) {
  const pinned = realAgents.find(({ agent }) => agent === newest.agent);
  const before = pinned === undefined ? undefined : measured[pinned.folder];
  let found: readonly string[];
  try {
    const { cell, observed } = await playOne(newest, 'killed', 'a look before', { before: before?.observed });
    const expected = before?.cells['killed']?.['a look before'];
    const said = pinned === undefined ? [] : await saidByDoctor(newest);
    for (const one of new Set(said)) console.log(`curfew doctor: ${one}`);
    const isUnseen = pinned !== undefined && said.length === 0;
    found = [
      ...changes(before?.observed, observed),
      ...missedMore(expected, cell),
      ...(isUnseen ? ['curfew doctor does not say that it is newer'] : []),
    ];
  } catch (error) {
    found = [`it could not be played: ${String(error).slice(0, 2000)}`];
  }
  console.log(`${newest.name} (pinned: ${pinned?.version ?? 'none'}): ${found.length === 0 ? 'nothing changed' : ''}`);
  for (const one of found) console.log(`  ${one}`);
  if (found.length > 0) process.exitCode = 1;
}
