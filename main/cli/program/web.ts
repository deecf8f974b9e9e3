import { Option, type Command } from 'commander';
import { wholeNumber } from '../common/arguments.ts';
import { WrongCall } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';

/** Takes the exit status. */
type Done = (status: number) => void;

const largestPort = 65_535;

const port = (text: string): number => {
  const value = wholeNumber('--port', 0)(text);
  if (value <= largestPort) return value;
  throw new WrongCall(`--port ${JSON.stringify(text)}: a port is at most ${largestPort}`);
};

/** Adds `curfew web`. */
export const addWeb = (program: Command, output: Output, done: Done): void => {
  program
    .command('web')
    .description('watches and serves the interface on a local page; run again, it prints another address')
    .addOption(new Option('--port <number>', 'port to listen on; 0 for any').argParser(port))
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
        readonly open: boolean;
        readonly json?: true;
        readonly uid?: number;
      }) => {
        const { staySmall } = await import('../common/stay-small.ts');
        staySmall('serves');
        const { web } = await import('../commands/web.ts');
        const { port: wanted = null, open, json = false, uid = null } = options;
        done(await web({ port: wanted, open, json, uid }, output));
      },
    );
};
