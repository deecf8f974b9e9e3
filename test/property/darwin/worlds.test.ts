import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { macPlan, playMac } from '../../darwin/random-mac.ts';

// Random Macs on the simulated kernel, from the system calls to the signals. `npm test` plays some
// of them, `npm run test:darwin` thousands: CURFEW_TEST_MACS says how many.
const macs = Number(process.env['CURFEW_TEST_MACS'] ?? 80);

test('no innocent hears a signal, and all that is due is ended', { timeout: 4 * 3_600_000 }, () => {
  const played = { macs: 0, due: 0, innocents: 0, signals: 0 };
  fc.assert(
    fc.property(macPlan, (plan) => {
      const { hit, left, problems, ...counts } = playMac(plan);
      played.macs += 1;
      played.due += counts.due;
      played.innocents += counts.innocents;
      played.signals += counts.signals;
      expect({ hit, left, problems }).toEqual({ hit: [], left: [], problems: [] });
    }),
    { numRuns: macs },
  );
  console.log(`random Macs: ${JSON.stringify(played)}`);
  expect(played.signals).toBeGreaterThan(macs);
});
