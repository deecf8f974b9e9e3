import { dirname, extname, join } from 'node:path';

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
