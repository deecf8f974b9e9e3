import { Argument, type Command } from 'commander';
import type { CompletionShell } from '../commands/completion.ts';
import type { Output } from '../common/output.ts';

/** Adds `curfew completion SHELL`. */
export const addCompletion = (program: Command, output: Output, done: (status: number) => void): void => {
  program
    .command('completion')
    .description('a script that completes commands in your shell: `source <(curfew completion bash)`')
    .addArgument(new Argument('<shell>', 'for which').choices(['bash', 'zsh', 'fish', 'powershell']))
    .action(async (shell: CompletionShell) => {
      const { completion } = await import('../commands/completion.ts');
      done(await completion(shell, program, output));
    });
};
