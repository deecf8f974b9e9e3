import { type Command, Option } from 'commander';
import type { Output } from '../common/output.ts';

/** Adds `curfew statusline`. */
export const addStatusline = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('statusline')
    .description('one short line for a status bar: what the running supervisor saw last')
    .addOption(new Option('--json', 'one JSON document on standard output and nothing else there'))
    .action(async (options: { readonly json?: true }) => {
      const { statusline } = await import('../commands/statusline.ts');
      done(await statusline({ json: options.json === true }, output));
    });
};
