import { type Command, Option } from 'commander';
import type { Output } from '../common/output.ts';

/** Adds `curfew sweep`. */
export const addSweep = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('sweep')
    .description(
      'finds stale files of dead sessions and deletes them: task outputs, shell snapshots, sockets without a listener, locks of dead holders',
    )
    .option('--dry-run', 'says what would be deleted and why, deletes nothing')
    .option('--yes', 'deletes without asking; needed without a terminal')
    .addOption(new Option('--json', 'one JSON document on standard output and nothing else there'))
    .action(async (options: { readonly dryRun?: true; readonly yes?: true; readonly json?: true }) => {
      const { sweep } = await import('../commands/sweep.ts');
      done(
        await sweep(
          { dryRun: options.dryRun === true, yes: options.yes === true, json: options.json === true },
          output,
        ),
      );
    });
};
