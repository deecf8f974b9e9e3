import { baseName } from '../../paths/path.ts';
import type { Helper } from '../common/helper.ts';

/** Observed: 0.41 starts `agent-browser-linux-x64` without a word, in a session of its own. */
export const agentBrowser: Helper = {
  name: 'agent-browser',
  is: ({ argv }) => argv.length === 1 && /^agent-browser(?:-[a-z0-9-]+)?(?:\.exe)?$/u.test(baseName(argv[0] ?? '')),
};
