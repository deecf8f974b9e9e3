import { type Argument, Command, CommanderError, type Help, type Option } from 'commander';
import { byKey } from '../../../app/format/said.ts';
import { words, worded } from '../common/words.ts';

/** What commander calls where a call is wrong; its types leave these out. */
interface Refusing {
  readonly missingArgument: (name: string) => void;
  readonly optionMissingArgument: (option: Option) => void;
  readonly _conflictingOption: (option: Option, other: Option) => void;
  readonly unknownOption: (flag: string) => void;
  readonly unknownCommand: () => void;
  readonly _excessArguments: (args: readonly string[]) => void;
  readonly _callParseArg: (target: Option | Argument, value: string, previous: unknown, message: string) => unknown;
}

/** Returns what commander itself says, without ending anything. */
const ownWords = (
  command: Command,
  method: 'unknownOption' | 'unknownCommand',
  ...given: readonly string[]
): string => {
  let said = '';
  const quiet: unknown = Object.create(command, { error: { value: (message: string) => void (said = message) } });
  const refuse: unknown = Reflect.get(Command.prototype, method);
  if (typeof refuse === 'function') Reflect.apply(refuse, quiet, given);
  return said;
};

/** What commander takes for a slip of the keys, in words. */
const suggestion = (said: string): string => {
  const similar = /\(Did you mean (?:one of )?([^)]+)\?\)/u.exec(said)?.[1];
  return similar === undefined ? '' : worded('. Perhaps {similar}?', { similar });
};

const flagsOf = ({ flags }: Option): string => flags;

const refusals = (command: Command): Refusing => {
  const end = (code: string, text: string): void => command.error(`error: ${text}`, { code: `commander.${code}` });
  return {
    missingArgument: (name) => end('missingArgument', worded("missing required argument '{name}'", { name })),
    optionMissingArgument: (option) =>
      end('optionMissingArgument', worded("option '{flags}' argument missing", { flags: flagsOf(option) })),
    _conflictingOption: (option, other) =>
      end(
        'conflictingOption',
        worded("option '{flags}' cannot be used with option '{other}'", {
          flags: flagsOf(option),
          other: flagsOf(other),
        }),
      ),
    unknownOption: (flag) =>
      end(
        'unknownOption',
        worded("unknown option '{flag}'", { flag }) + suggestion(ownWords(command, 'unknownOption', flag)),
      ),
    unknownCommand: () =>
      end(
        'unknownCommand',
        worded("unknown command '{name}'", { name: command.args[0] ?? '' }) +
          suggestion(ownWords(command, 'unknownCommand')),
      ),
    _excessArguments: (args) => end('excessArguments', worded('too many arguments: {args}', { args: args.join(', ') })),
    _callParseArg: (target, value, previous) => {
      try {
        return target.parseArg?.(value, previous) ?? value;
      } catch (error) {
        if (!(error instanceof CommanderError) || error.code !== 'commander.invalidArgument') throw error;
        const choices = (target.argChoices ?? []).join(', ');
        const name = 'flags' in target ? target.flags : target.name();
        end(
          'invalidArgument',
          worded("'{value}' is invalid for {target}. Allowed choices are {choices}.", { value, target: name, choices }),
        );
        throw error;
      }
    },
  };
};

/** The same as commander's own help adds, in words. */
const described = (text: string, choices: readonly string[] | undefined, value: string | undefined): string => {
  const added = [
    ...(choices === undefined ? [] : [worded('choices: {choices}', { choices: choices.join(', ') })]),
    ...(value === undefined ? [] : [worded('default: {value}', { value })]),
  ].join('; ');
  const said = words(byKey(text));
  return added === '' ? said : `${said}${said === '' ? '' : ' '}(${added})`;
};

const standardOf = (target: Option | Argument): string | undefined => {
  const { defaultValueDescription: name } = target;
  const value: unknown = target.defaultValue;
  if (value === undefined || typeof value === 'boolean') return undefined;
  return name === undefined ? JSON.stringify(value) : words(byKey(name));
};

const helpInWords: Partial<Help> = {
  styleTitle: (title) => words(byKey(title)),
  commandDescription: (command) => words(byKey(command.description())),
  subcommandDescription: (command) => words(byKey(command.description())),
  optionDescription: (option) => described(option.description, option.argChoices, standardOf(option)),
  argumentDescription: (argument) => described(argument.description, argument.argChoices, standardOf(argument)),
};

/** Makes help and refusals of a program speak the language of the command line. */
export const inWordsOfLanguage = (program: Command): void => {
  program.configureHelp({ ...program.configureHelp(), ...helpInWords });
  Object.assign(program, refusals(program));
  program.commands.forEach(inWordsOfLanguage);
};
