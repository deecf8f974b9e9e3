import { type Helper, runsScript } from '../common/helper.ts';

/** Observed: 1.11.0 starts `node …/chrome-devtools-mcp/build/src/daemon/daemon.js`, detached. */
export const chromeDevtools: Helper = {
  name: 'chrome-devtools-mcp',
  is: (row) => runsScript(row, 'daemon.js', 'chrome-devtools-mcp'),
};
