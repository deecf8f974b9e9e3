import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Played } from './play.ts';
import { playPeers } from './peers.ts';
import { boundedShrinking, maxNotSet, playRound, type Rounds } from './rounds.ts';
import { world, worldOfServers, worldOfServersBy } from './random-world.ts';

// The kill-safety suite: random worlds of real processes, each in namespaces of its own. `npm test`
// plays a few of them, `npm run test:safety` 2,000. CURFEW_TEST_WORLDS and CURFEW_TEST_SEED say how
// many and which; a failure prints its seed, its path and the smallest world found that shows it.
// CURFEW_TEST_PATH with that seed plays that very world again. CURFEW_TEST_PEER=COMMAND runs that
// command in the same worlds instead of Curfew, and only counts what it hit and what it left.
// CURFEW_TEST_ABOUT=servers plays worlds of servers and of agents out of reach alone, and
// CURFEW_TEST_BY=reap|watch|remote|run those of them in which the signals are delivered that way.
const worlds = Number(process.env['CURFEW_TEST_WORLDS'] ?? 24);
const seed = Number(process.env['CURFEW_TEST_SEED'] ?? 20_261_121);
const about = process.env['CURFEW_TEST_ABOUT'];
const by = (['reap', 'watch', 'remote', 'run'] as const).find((one) => one === process.env['CURFEW_TEST_BY']);
const ofServers = by === undefined ? worldOfServers : worldOfServersBy(by);
const kindOfWorld = about === 'servers' ? ofServers : world;
const peer = process.env['CURFEW_TEST_PEER'];
const path = process.env['CURFEW_TEST_PATH'];
const lanes = path === undefined ? Number(process.env['CURFEW_TEST_LANES'] ?? 6) : 1;

/** Worlds in which an invariant broke: each stops its lane. */
const broken: string[] = [];

const rounds: Rounds = { played: [], setAtSecondTry: [], notSet: [], late: [] };

const sum = (part: Exclude<keyof Played, 'by'>): number => rounds.played.reduce((total, one) => total + one[part], 0);

const deliverers = ['local', 'remote', 'run'] as const;

/** What came of the worlds of each deliverer. */
const byDeliverer = () =>
  Object.fromEntries(
    deliverers.map((deliverer) => {
      const played = rounds.played.filter((one) => one.by === deliverer);
      const total = (part: Exclude<keyof Played, 'by'>): number => played.reduce((all, one) => all + one[part], 0);
      const { length: worldsOf } = played;
      return [
        deliverer,
        {
          worlds: worldsOf,
          processesDue: total('due'),
          processesThatMustLive: total('spared'),
          signals: total('signals'),
          pidsRecycled: total('recycled'),
          changesBetweenSteps: total('steps'),
        },
      ];
    }),
  );

const soFar = (): Readonly<Record<string, unknown>> => ({
  worlds: rounds.played.length,
  seed,
  processesDue: sum('due'),
  processesThatMustLive: sum('spared'),
  signals: sum('signals'),
  pidsRecycled: sum('recycled'),
  changesBetweenSteps: sum('steps'),
  stagesSetAtSecondTry: rounds.setAtSecondTry.length,
  stagesNotSet: rounds.notSet.length,
  endedAtSecondTry: rounds.late.length,
  broken: broken.length,
  by: byDeliverer(),
});

const writeReport = (name: string, report: object): void => {
  const folder = join(import.meta.dirname, '../../build/out/reports');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(report, null, 2)}\n`);
};

const tellReport = (): void => {
  const at = new Date().toISOString();
  const report = { at, about: about ?? 'any', lanes, load: loadavg().map(Math.round), ...soFar() };
  writeReport('safety.json', report);
  console.log(`kill safety: ${JSON.stringify(report)}`);
  for (const why of [...rounds.setAtSecondTry, ...rounds.notSet]) console.log(`a stage that was not set: ${why}`);
  for (const why of rounds.late) console.log(`ended at the second try only: ${why}`);
};

const anotherProgram = (command: string): void => {
  test('another program in the same worlds', { timeout: 4 * 3_600_000 }, async () => {
    const report = await playPeers(command, { worlds, seed, lanes, kindOfWorld });
    writeReport('safety-peer.json', { at: new Date().toISOString(), about: about ?? 'any', seed, command, ...report });
    console.log(`in the same worlds, ${command}: ${JSON.stringify(report, null, 1)}`);
    expect(report.notSet.slice(maxNotSet(worlds))).toEqual([]);
  });
};

const curfew = (): void => {
  afterAll(tellReport);
  describe.concurrent('in random worlds no innocent is touched, and all that is due is ended', () => {
    for (let lane = 0; lane < lanes; lane++) {
      test(`lane ${lane + 1} of ${lanes}`, { timeout: 4 * 3_600_000 }, async () => {
        let isBroken = false;
        await fc.assert(
          fc.asyncProperty(
            kindOfWorld,
            boundedShrinking(async (plan) => {
              await playRound(rounds, plan).catch((error: unknown) => {
                // Smaller worlds that show the same follow.
                if (!isBroken) broken.push(String(error));
                isBroken = true;
                throw error;
              });
              if (rounds.played.length % 100 === 0) console.log(`kill safety: ${JSON.stringify(soFar())}`);
            }),
          ),
          {
            numRuns: Math.ceil(worlds / lanes),
            seed: seed + lane,
            endOnFailure: false,
            ...(path === undefined ? {} : { path }),
          },
        );
      });
    }
  });

  // After the lanes: describe blocks that are not concurrent wait for those before them.
  describe('the stages of the worlds', () => {
    test('could be set, all but a few', () => {
      expect(rounds.notSet.slice(maxNotSet(worlds))).toEqual([]);
    });

    test('what was due ended at once, all but a few', () => {
      expect(rounds.late.slice(maxNotSet(worlds))).toEqual([]);
    });
  });
};

if (peer === undefined) curfew();
else anotherProgram(peer);
