import { type Command, Option } from 'commander';
import { expositionFormats, type ExpositionFormat } from '../../../app/metrics/exposition.ts';
import type { Output } from '../common/output.ts';

/** Adds `curfew metrics`. */
export const addMetrics = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('metrics')
    .description('numbers for Prometheus: what the running supervisor saw last, and what was ended')
    .addOption(
      new Option('--format <format>', 'OpenMetrics, or the older text format')
        .choices(expositionFormats)
        .default('openmetrics'),
    )
    .addOption(
      new Option(
        '--textfile <file>',
        'writes a regular file for node_exporter, in the text format; `-` is standard output',
      ).conflicts('format'),
    )
    .action(async (options: { readonly format: ExpositionFormat; readonly textfile?: string }) => {
      const { metrics } = await import('../commands/metrics.ts');
      done(await metrics({ format: options.format, textfile: options.textfile ?? null }, output));
    });
};
