import type { ProcessRow } from '../process/row.ts';
import { agentBrowser } from './agent-browser/helper.ts';
import { chromeDevtools } from './chrome-devtools-mcp/helper.ts';
import { claudeMem } from './claude-mem/helper.ts';
import { codexPlugin } from './codex-plugin/helper.ts';
import type { Helper } from './common/helper.ts';
import { playwrightCli } from './playwright-cli/helper.ts';

const helpers: readonly Helper[] = [agentBrowser, chromeDevtools, claudeMem, codexPlugin, playwrightCli];

/** Returns the name of a helper that is known by its command line; null for any other process. */
export const helperName = (row: Pick<ProcessRow, 'argv'>): string | null =>
  helpers.find((one) => one.is(row))?.name ?? null;
