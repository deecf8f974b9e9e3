import type { Command } from 'commander';
import { bashCompletion } from '../completion/bash.ts';
import { definitionOf } from '../completion/definition.ts';
import { fishCompletion } from '../completion/fish.ts';
import { powershellCompletion } from '../completion/powershell.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { type ExitStatus, exitStatus } from '../common/exit-status.ts';
import type { Output } from '../common/output.ts';

const scripts = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} as const;

/** Shells that `curfew completion` knows. */
export type CompletionShell = keyof typeof scripts;

/** `curfew completion SHELL`: prints the script that completes Curfew's commands there. */
export const completion = async (shell: CompletionShell, program: Command, output: Output): Promise<ExitStatus> => {
  await output.write(scripts[shell](definitionOf(program)));
  return exitStatus.done;
};
