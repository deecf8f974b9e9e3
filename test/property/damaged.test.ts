import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { damagedMac } from '../darwin/damages.ts';
import { telling, type DamagedKernel } from '../played/damages.ts';
import { damagedWindows } from '../windows/damages.ts';

// `npm test` plays a few worlds, each with one of the damages that the self-check does not find;
// `npm run test:damaged` plays 200 with each: CURFEW_TEST_DAMAGED says how many, and
// CURFEW_TEST_RECORD is the folder for what came of them, which is written after each world.
const worldsOfEach = Number(process.env['CURFEW_TEST_DAMAGED'] ?? 0);
const record = process.env['CURFEW_TEST_RECORD'];
const fewWorlds = 16;

const damageAll = <Plan>(name: string, kernel: DamagedKernel<Plan>): void => {
  const { damages, isBelieved, plans, play } = kernel;

  describe(`the fields that are read of ${name}`, () => {
    const believed = damages.filter(({ change }) => isBelieved(change));

    test('the self-check finds more than half of the damages', () => {
      expect(believed.length).toBeLessThan(damages.length / 2);
    });

    test('of what the self-check does not find, no innocent is hit', { timeout: 24 * 3_600_000 }, () => {
      const worse = new Set<string>();
      const played = { worlds: 0, told: 0, innocents: 0 };
      for (const plan of fc.sample(plans, worldsOfEach === 0 ? fewWorlds : worldsOfEach)) {
        const drawn = fc.sample(fc.constantFrom(...believed), 1);
        const { world, damages: told } = telling(kernel, plan, worldsOfEach === 0 ? drawn : believed);
        expect(world.hit).toEqual([]);
        for (const damage of told)
          for (const one of play(plan, damage.change).hit) worse.add(`${damage.name} hits ${one}`);
        played.worlds += 1;
        played.told += told.length;
        played.innocents += world.innocents;
        if (record === undefined || worldsOfEach === 0) continue;
        mkdirSync(record, { recursive: true });
        const report = {
          kernel: name,
          at: new Date().toISOString(),
          damages: damages.length,
          believed: believed.map((one) => one.name),
          ...played,
          worse: [...worse],
        };
        writeFileSync(join(record, `${name.toLowerCase()}.json`), `${JSON.stringify(report, null, 2)}\n`);
      }
      console.log(`${name}: ${damages.length} damages, ${believed.length} believed, ${JSON.stringify(played)}`);
      expect([...worse]).toEqual([]);
    });
  });
};

damageAll('macOS', damagedMac);
damageAll('Windows', damagedWindows);
