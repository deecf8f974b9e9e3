import { Option, type Command } from 'commander';
import type { LinesTarget } from '../../lines/incident-lines.ts';
import { type Common, common, json, uid } from '../common/common-options.ts';
import { WrongCall } from '../common/exit-status.ts';
import { metricsPort } from '../common/metrics-port.ts';
import type { Output } from '../common/output.ts';

interface WatchFlags extends Common {
  readonly enforce?: true;
  readonly observe?: true;
  readonly metricsPort?: number;
  readonly incidents?: LinesTarget;
}

/** Adds `curfew watch`. */
export const addWatch = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('watch')
    .description('watches live in the terminal (Ctrl-C to stop)')
    .addOption(new Option('--enforce', 'ends overdue jobs, whatever the settings say').conflicts('observe'))
    .addOption(new Option('--observe', 'only reports, whatever the settings say'))
    .addOption(metricsPort())
    .addOption(
      new Option(
        '--incidents <where>',
        'tells each announcement, end and failure as one line for log collectors',
      ).choices(['off', 'journald', 'stdout'] satisfies readonly LinesTarget[]),
    )
    .addOption(json())
    .addOption(uid())
    .action(async (options: WatchFlags) => {
      if (options.json === true && options.incidents === 'stdout')
        throw new WrongCall(
          '--json and --incidents stdout both want standard output; --incidents journald goes with --json',
        );
      const { staySmall } = await import('../common/stay-small.ts');
      staySmall('waits');
      const { watch } = await import('../commands/watch/watch.ts');
      done(
        await watch(
          {
            ...common(options),
            mode: options.enforce === true ? 'enforce' : options.observe === true ? 'observe' : null,
            metricsPort: options.metricsPort ?? null,
            incidents: options.incidents ?? null,
          },
          output,
        ),
      );
    });
};
