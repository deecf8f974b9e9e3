import * as fc from 'fast-check';

// Runs before each file of most projects: properties are played with one seed, so that what is red
// on one machine is red on all of them and on the next run. CURFEW_TEST_SEED=random (or a number)
// plays others, which is how to look for more: `npm run test:seeds`.
const asked = process.env['CURFEW_TEST_SEED'];
if (asked !== 'random') fc.configureGlobal({ seed: Number(asked ?? 20_261_121) });
