import { type Command, Option } from 'commander';
import type { Output } from '../common/output.ts';

/** Adds `curfew report`. */
export const addReport = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('report')
    .description(
      'one redacted file for an issue: versions, settings, doctor, scan, history; shown before it is written',
    )
    .option('--output <file>', 'where it is written; an existing file stays as it is. By default a new one here')
    .option('--yes', 'writes without asking; needed without a terminal')
    .addOption(new Option('--json', 'one JSON document on standard output and nothing else there'))
    .action(async (options: { readonly output?: string; readonly yes?: true; readonly json?: true }) => {
      const { report } = await import('../commands/report/report.ts');
      done(
        await report({ file: options.output ?? null, yes: options.yes === true, json: options.json === true }, output),
      );
    });
};
