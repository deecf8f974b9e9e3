import { type Command, Option } from 'commander';
import type { Output } from '../common/output.ts';

/** Adds `curfew sessions`. */
export const addSessions = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('sessions')
    .description('lists every session of every agent with its memory, processor time, jobs, servers and duplicates')
    .addOption(new Option('--json', 'one JSON document on standard output and nothing else there'))
    .action(async (options: { readonly json?: true }) => {
      const { sessions } = await import('../commands/sessions.ts');
      done(await sessions({ json: options.json === true }, output));
    });
};
