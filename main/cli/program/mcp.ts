import { type Command, Option } from 'commander';
import { callOption } from '../../mcp/server/call-option.ts';
import type { Output } from '../common/output.ts';
import { exitStatus } from '../common/exit-status.ts';

/** Adds `curfew mcp`. `main/cli/index.ts` starts it without this, because agents wait for it. */
export const addMcp = (program: Command, _output: Output, done: (status: number) => void): void => {
  program
    .command('mcp')
    .description('an MCP server for agents: list, read, keep and end the background work of their own session')
    .addOption(new Option(callOption).hideHelp())
    .action(async () => {
      const { serve } = await import('../../mcp/server/serve.ts');
      await serve(async () => undefined);
      done(exitStatus.done);
    });
};
