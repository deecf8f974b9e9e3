import { type Helper, runsScript } from '../common/helper.ts';

/** Observed: 13.25.3’s hooks start `bun …/worker-service.cjs --daemon`, detached. */
export const claudeMem: Helper = {
  name: 'claude-mem',
  is: (row) => runsScript(row, 'worker-service.cjs') && row.argv.includes('--daemon'),
};
