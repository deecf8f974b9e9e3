import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { Scene } from '../os/scene/scene.ts';
import { play, type Played } from './play.ts';
import { world } from './world.ts';

// The kill-safety suite: random worlds of real processes, each in namespaces of its own. `npm test` plays a few of them, `npm run test:safety`
// 2,000. CURFEW_TEST_WORLDS and CURFEW_TEST_SEED say how many and which; a failure prints its seed and the smallest world that shows it.
const worlds = Number(process.env['CURFEW_TEST_WORLDS'] ?? 24);
const seed = Number(process.env['CURFEW_TEST_SEED'] ?? 20_261_121);
const lanes = 6;

const played: Played[] = [];

const sum = (part: keyof Played): number => played.reduce((total, one) => total + one[part], 0);

afterAll(() => {
  const report = {
    worlds: played.length,
    seed,
    processesDue: sum('due'),
    processesThatMustLive: sum('spared'),
    signals: sum('signals'),
  };
  const folder = join(import.meta.dirname, '../../build/out/reports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'safety.json'), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`kill safety: ${JSON.stringify(report)}`);
});

describe.concurrent('in random worlds nobody innocent is touched, and everybody due is ended', () => {
  for (let lane = 0; lane < lanes; lane++) {
    test(`lane ${lane + 1} of ${lanes}`, { timeout: 4 * 3_600_000 }, async () => {
      await fc.assert(
        fc.asyncProperty(world, async (plan) => {
          const stage = await Scene.open();
          try {
            played.push(await play(stage, plan));
          } finally {
            await stage.close();
          }
        }),
        {
          numRuns: Math.ceil(worlds / lanes),
          seed: seed + lane,
          endOnFailure: false,
        },
      );
    });
  }
});
