import { Command, CommanderError } from 'commander';
import { addCommands } from './program/program.ts';
import { exitStatus, NotDone, WrongCall } from './common/exit-status.ts';
import { processOutput } from './common/output.ts';

/** Returns one line for people; the stack if CURFEW_DEBUG is set. */
const sayError = (error: unknown): string => {
  if (process.env['CURFEW_DEBUG'] !== undefined && error instanceof Error) return error.stack ?? error.message;
  return error instanceof Error ? error.message : String(error);
};

const main = async (): Promise<number> => {
  const output = processOutput();
  const program = new Command('curfew');
  let status: number = exitStatus.done;
  const take = (result: number): void => {
    status = result;
  };
  addCommands(program, output, take, process.argv[2] ?? null);
  program.hook('preAction', async (_, command) => {
    const { cleansUpItself, cleanUpAbandonedRuns } = await import('./commands/run/clean-up-abandoned.ts');
    if (!cleansUpItself(command)) await cleanUpAbandonedRuns();
  });
  try {
    await program.parseAsync();
    return status;
  } catch (error) {
    // commander has printed help or the one line already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.wrongCall;
    output.warn(`curfew: ${sayError(error)}`);
    if (error instanceof WrongCall) return exitStatus.wrongCall;
    return error instanceof NotDone ? exitStatus.notDone : exitStatus.failed;
  }
};

process.exitCode = await main();
