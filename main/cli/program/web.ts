import { Option, type Command } from 'commander';
import { port, wholeNumber } from '../common/arguments.ts';
import { metricsPort } from '../common/metrics-port.ts';
import type { Output } from '../common/output.ts';

/** Takes the exit status. */
type Done = (status: number) => void;

/** Adds `curfew web`. */
export const addWeb = (program: Command, output: Output, done: Done): void => {
  program
    .command('web')
    .description('watches and serves the interface on a local page; run again, it prints another address')
    .addOption(new Option('--port <number>', 'port to listen on; 0 for any').argParser(port('--port')))
    .addOption(metricsPort())
    .option('--no-open', 'opens no browser')
    .option('--json', 'one JSON document on standard output and nothing else there')
    .addOption(
      new Option('--uid <id>', 'id of the user whose processes are candidates; yours by default').argParser(
        wholeNumber('--uid', 0),
      ),
    )
    .action(
      async (options: {
        readonly port?: number;
        readonly metricsPort?: number;
        readonly open: boolean;
        readonly json?: true;
        readonly uid?: number;
      }) => {
        const { staySmall } = await import('../common/stay-small.ts');
        staySmall('serves');
        const { web } = await import('../commands/web.ts');
        const { port: wanted = null, metricsPort: metrics = null, open, json = false, uid = null } = options;
        done(await web({ port: wanted, metricsPort: metrics, open, json, uid }, output));
      },
    );
};
