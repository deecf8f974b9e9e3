import { plainAgent } from '../common/plain-agent.ts';

/**
 * Qwen Code 0.24.4 (`qwen` launches `node …/@qwen-code/qwen-code/cli.js`; observed). Its commands
 * carry QWEN_CODE=1 and its session, its servers the session without it. QWEN_CODE_LAUNCHER_PID
 * names the launcher alone: when that is killed, the agent goes on, so it tells nothing of an end.
 */
export const qwen = plainAgent({
  id: 'qwen',
  name: 'Qwen Code',
  names: {
    short: 'qwen',
    command: 'qwen',
    others: ['qwen-code'],
    // Drawn for Curfew: a ring with a stroke out of it.
    glyph: 'M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10ZM9.5 9.5 13.5 13.5',
    containedAs: /(?:^|[^a-z])qwen(?:$|[^a-z])/,
    resume: ['qwen', '--resume'],
  },
  program: { names: ['qwen'], paths: ['/@qwen-code/qwen-code/'] },
  commands: [{ name: 'QWEN_CODE', value: '1' }],
  harness: ['QWEN_CODE_SESSION_ID', 'QWEN_CODE_LAUNCHER_PID', 'QWEN_CODE_PROJECT_DIR'],
  session: 'QWEN_CODE_SESSION_ID',
  toolShells: 'child-session',
});
