import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { playWindows, windowsPlan } from '../../windows/random-windows.ts';

// Random Windows machines on the simulated kernel, from the calls to the handles. `npm test` plays
// some of them, `npm run test:windows-worlds` thousands: CURFEW_TEST_WINDOWS says how many. The
// simulated kernel shares nothing with the real one.
const machines = Number(process.env['CURFEW_TEST_WINDOWS'] ?? 80);

test('no innocent is asked or ended, and all that is due is ended', { timeout: 4 * 3_600_000 }, () => {
  const played = { machines: 0, due: 0, innocents: 0, sent: 0 };
  fc.assert(
    fc.property(windowsPlan, (plan) => {
      const { hit, left, problems, ...counts } = playWindows(plan);
      played.machines += 1;
      played.due += counts.due;
      played.innocents += counts.innocents;
      played.sent += counts.sent;
      expect({ hit, left, problems }).toEqual({ hit: [], left: [], problems: [] });
    }),
    { numRuns: machines },
  );
  console.log(`random Windows machines: ${JSON.stringify(played)}`);
  expect(played.sent).toBeGreaterThan(machines);
});
