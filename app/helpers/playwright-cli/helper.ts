import { type Helper, runsScript } from '../common/helper.ts';

/** Observed: 0.1.22 starts `node …/playwright-core/lib/entry/cliDaemon.js NAME`. */
export const playwrightCli: Helper = {
  name: 'playwright-cli',
  is: (row) => runsScript(row, 'cliDaemon.js', 'playwright'),
};
