import { Option, type Command } from 'commander';
import { port, seconds } from '../common/arguments.ts';
import { json } from '../common/common-options.ts';
import type { Output } from '../common/output.ts';

type Done = (status: number) => void;

/** `--free` gives up after this time by itself, seconds. */
const usualTimeout = 30;

/** Adds `curfew port`. */
export const addPort = (program: Command, output: Output, done: Done): void => {
  program
    .command('port')
    .description('says which process listens on a port, of which job and worktree, and how to start it again')
    .argument('<number>', 'a TCP or UDP port of this machine', port('port'))
    .option('--end', 'ends its job, by all the rules of `reap`')
    .option('--free', 'waits until the port can be bound')
    .addOption(
      new Option('--timeout <duration>', '30s for --free if left out')
        .argParser(seconds('--timeout'))
        .implies({ free: true }),
    )
    .addOption(json())
    .action(
      async (
        number: number,
        options: { readonly end?: true; readonly free?: true; readonly timeout?: number; readonly json?: true },
      ) => {
        const { port: show } = await import('../commands/port.ts');
        const { end, free, timeout = usualTimeout } = options;
        done(
          await show(
            {
              port: number,
              json: options.json === true,
              end: end === true,
              free: free === true,
              timeoutSeconds: timeout,
            },
            output,
          ),
        );
      },
    );
};
