import { Option, type Command } from 'commander';
import { seconds } from '../common/arguments.ts';
import { json } from '../common/common-options.ts';
import type { Output } from '../common/output.ts';

type Done = (status: number) => void;

const halfAnHour = 1800;

/** Adds `curfew idle`. */
export const addIdle = (program: Command, output: Output, done: Done): void => {
  program
    .command('idle')
    .description('for shutdown rules: status 0 when no agent and no job has been at work for so long, else 1')
    .addOption(new Option('--for <duration>', '30m if left out').argParser(seconds('--for')))
    .option('--wait', 'returns only when that is so')
    .addOption(json())
    .action(async (options: { readonly for?: number; readonly wait?: true; readonly json?: true }) => {
      const { idle } = await import('../commands/idle.ts');
      const { for: forSeconds = halfAnHour, wait, json: asJson } = options;
      done(await idle({ json: asJson === true, forSeconds, wait: wait === true }, output));
    });
};

/** Adds `curfew wait`. */
export const addWait = (program: Command, output: Output, done: Done): void => {
  program
    .command('wait')
    .description('waits until jobs have ended; status 1 when the time is over before')
    .argument('<job...>', 'ids, as `curfew scan` shows them')
    .addOption(new Option('--timeout <duration>', 'as long as it takes if left out').argParser(seconds('--timeout')))
    .addOption(json())
    .action(async (jobs: readonly string[], options: { readonly timeout?: number; readonly json?: true }) => {
      const { wait } = await import('../commands/wait.ts');
      done(await wait({ jobs, json: options.json === true, timeoutSeconds: options.timeout ?? null }, output));
    });
};
