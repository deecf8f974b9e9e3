import { dirname, extname, join } from 'node:path';
import type { AgentId } from '../../../../app/agents/common/agent-id.ts';
import type { HookCall } from '../../../../app/agents/common/hook-form.ts';
import { answers } from '../../../../app/agents/answers.ts';

/** Returns a text as one word of a POSIX shell, whatever is in it. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns what an agent's hook answers with nothing to say; null: no answer at all. */
export const neutralAnswer = (agent: AgentId, call: HookCall): string | null => {
  const { hooks } = answers[agent];
  return hooks === 'none' ? null : hooks.neutralAnswer(call);
};

/**
 * The program of the guard: it lies beside the command line, in the build as one file of CommonJS.
 * @param commandLine the command line's file
 */
export const guardProgram = (commandLine: string): string =>
  join(dirname(commandLine), extname(commandLine) === '.ts' ? 'guard.ts' : 'guard.cjs');

/**
 * Node's arguments for it. Without V8's compilers the built program is done a tenth sooner, because
 * it ends before they would pay; from its sources it can't do without, as Node takes types away
 * with WebAssembly.
 */
export const guardArguments = (commandLine: string): readonly string[] => {
  const program = guardProgram(commandLine);
  return program.endsWith('.ts') ? [program] : ['--jitless', program];
};

/** What the script needs to know to start Curfew by itself. */
export interface HookProgram {
  /** Absolute paths: Node, and the command line's file. */
  readonly command: readonly [string, ...string[]];
  /** Variables that place Curfew's things (`CURFEW_HOME`, XDG folders), as at installation. */
  readonly environment: Readonly<Record<string, string>>;
}
