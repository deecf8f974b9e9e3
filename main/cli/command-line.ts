import type { Form } from '../../app/text/form.ts';
import { placesHere } from '../store/places.ts';
import { homedir } from 'node:os';
import { Command, CommanderError } from 'commander';
import { ForeignHome, refuseForeignHome } from '../store/foreign-home.ts';
import { addCommands } from './program/program.ts';
import { exitStatus, NotDone, WrongCall } from './common/exit-status.ts';
import { languageHere } from './common/language.ts';
import { processOutput } from './common/output.ts';

/** Returns one line for people; the stack if CURFEW_DEBUG is set. */
const sayError = async (error: unknown): Promise<string> => {
  if (process.env['CURFEW_DEBUG'] !== undefined && error instanceof Error) return error.stack ?? error.message;
  const { saidOf } = await import('../../app/text/say.ts');
  const { words } = await import('./common/words.ts');
  return words(error instanceof WrongCall || error instanceof NotDone ? error.said : saidOf(error));
};

/** How help speaks: as its texts stand, or in German. */
interface Speaking {
  readonly said: (form: Form) => string;
  readonly teach: (program: Command) => void;
}

/** Makes the command line speak German where it is chosen; no German is loaded otherwise. */
const speaking = async (isTerminal: boolean): Promise<Speaking> => {
  if (languageHere(placesHere(homedir()).settings, isTerminal) === 'en')
    return { said: (form) => form, teach: () => undefined };
  const [{ german }, { speak, words }, { inWordsOfLanguage }] = await Promise.all([
    import('./common/german.ts'),
    import('./common/words.ts'),
    import('./program/help-words.ts'),
  ]);
  speak(german);
  return { said: (form) => words({ key: form, figures: {} }), teach: inWordsOfLanguage };
};

/** The name of the command below `curfew` itself: `hook` of `curfew hook session-end`. */
const commandName = (command: Command): string => {
  const above = command.parent;
  return above === null || above.parent === null ? command.name() : commandName(above);
};

/** @throws NotDone, where root would use a user's home */
const refuse = (): void => {
  try {
    refuseForeignHome(homedir(), placesHere(homedir()));
  } catch (error) {
    throw error instanceof ForeignHome ? new NotDone(error.said, { cause: error }) : error;
  }
};

const main = async (): Promise<number> => {
  const output = processOutput();
  const program = new Command('curfew');
  let status: number = exitStatus.done;
  const take = (result: number): void => {
    status = result;
  };
  const { said, teach } = await speaking(output.isTerminal);
  addCommands(program, output, take, process.argv[2] ?? null, said);
  teach(program);
  if (process.argv.length === 2) {
    program.action(async () => {
      const { verdict } = await import('./commands/verdict.ts');
      take(await verdict(output));
    });
  }
  program.hook('preAction', async (_, command) => {
    // Neither reads nor makes a file. A hook never fails its agent, and refuses by itself. A child
    // of the service for all users asks more of its home, and says so in its exit status.
    const refusesItself = ['completion', 'hook'].includes(commandName(command));
    if (!refusesItself && command.getOptionValue('unattended') === undefined) refuse();
    const { cleansUpItself, cleanUpAbandonedRuns } = await import('./commands/run/clean-up-abandoned.ts');
    if (!cleansUpItself(command)) await cleanUpAbandonedRuns();
  });
  try {
    await program.parseAsync();
    return status;
  } catch (error) {
    // commander has printed help or the one line already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitStatus.done : exitStatus.wrongCall;
    output.warn(`curfew: ${await sayError(error)}`);
    if (error instanceof WrongCall) return exitStatus.wrongCall;
    return error instanceof NotDone ? exitStatus.notDone : exitStatus.failed;
  }
};

process.exitCode = await main();
