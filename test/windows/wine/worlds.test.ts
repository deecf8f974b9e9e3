import { expect, test } from 'vitest';
import { playLane } from './worlds/lanes.ts';
import type { PlayedWorld } from './worlds/plan.ts';
import { planOf } from './worlds/random-plan.ts';

// Random worlds on real processes of Wine, as many as the time holds: CURFEW_TEST_WINE_MINUTES, 10
// by default. A failure names its seed; CURFEW_TEST_SEED plays that world alone.
const minutes = Number(process.env['CURFEW_TEST_WINE_MINUTES'] ?? 10);
const seed = process.env['CURFEW_TEST_SEED'];
const firstSeed = 20_261_123;
const lanes = seed === undefined ? 2 : 1;
/** More than any machine plays in the time. */
const maxWorlds = 60 * minutes;
/** Of a hundred stages so many may fail to be set, under load. */
const maxNotSetOf100 = 3;

const worldsOf = (lane: number) =>
  seed === undefined
    ? Array.from({ length: maxWorlds }, (_, index) => planOf(firstSeed + index * lanes + lane))
    : [planOf(Number(seed))];

test('no innocent is touched, what is due is ended, and the history says so', { timeout: 4 * 3_600_000 }, async () => {
  const until = Date.now() + minutes * 60_000;
  const played = (
    await Promise.all(Array.from({ length: lanes }, (_, lane) => playLane(worldsOf(lane), until)))
  ).flat();
  const sum = (part: 'due' | 'mustLive' | 'terminations' | 'recycled'): number =>
    played.reduce((total, one) => total + one[part], 0);
  const notSet = played.filter((one) => one.notSet !== null);
  const report = {
    worlds: played.length - notSet.length,
    due: sum('due'),
    mustLive: sum('mustLive'),
    terminations: sum('terminations'),
    pidsRecycled: sum('recycled'),
    stagesNotSet: notSet.length,
    secondsAWorld: Math.round(played.reduce((total, { tookMs }) => total + tookMs, 0) / played.length / 100) / 10,
  };
  console.log(`random worlds under Wine: ${JSON.stringify(report)}`);
  for (const one of notSet) console.log(`seed ${one.seed} was not set: ${one.notSet}`);
  const wrong = played.filter((one: PlayedWorld) => one.wrong.length > 0);
  expect(wrong.map((one) => [`CURFEW_TEST_SEED=${one.seed}`, ...one.wrong])).toEqual([]);
  expect(notSet.length).toBeLessThanOrEqual(Math.ceil((played.length * maxNotSetOf100) / 100));
  // One world alone may have nothing to end.
  expect(report.terminations).toBeGreaterThanOrEqual(seed === undefined ? 1 : 0);
});
