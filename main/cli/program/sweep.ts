import { type Command, Option } from 'commander';
import type { Output } from '../common/output.ts';

/** Adds `curfew sweep`. */
export const addSweep = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('sweep')
    .description(
      'deletes stale files of dead sessions: shell snapshots, sockets without a listener, locks of dead holders',
    )
    .option('--dry-run', 'says what would be deleted and why, deletes nothing')
    .addOption(new Option('--json', 'one JSON document on standard output and nothing else there'))
    .action(async (options: { readonly dryRun?: true; readonly json?: true }) => {
      const { sweep } = await import('../commands/sweep.ts');
      done(await sweep({ dryRun: options.dryRun === true, json: options.json === true }, output));
    });
};
