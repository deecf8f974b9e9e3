import type { Argument, Command, Option } from 'commander';
import { byKey } from '../../../app/format/said.ts';
import { words } from '../common/words.ts';

export interface ValueDefinition {
  /** As help shows it: `duration`, `file` … */
  readonly name: string;
  /** The only words allowed; empty: any. */
  readonly choices: readonly string[];
}

/** An option as help, completions and the manual show it. */
export interface OptionDefinition {
  readonly short: string | null;
  readonly long: string;
  /** Null: it takes none. */
  readonly value: ValueDefinition | null;
  readonly text: string;
}

export interface ArgumentDefinition extends ValueDefinition {
  readonly text: string;
  readonly required: boolean;
  readonly variadic: boolean;
}

export interface CommandDefinition {
  readonly name: string;
  readonly text: string;
  readonly options: readonly OptionDefinition[];
  readonly arguments: readonly ArgumentDefinition[];
  readonly commands: readonly CommandDefinition[];
  /** The words after the first argument are another program's command line. */
  readonly startsProgram: boolean;
}

const valueName = (flags: string): string => /[<[](?<name>[^>\].]+)/u.exec(flags)?.groups?.['name'] ?? 'value';

const optionOf = (option: Option): OptionDefinition => ({
  short: option.short ?? null,
  long: option.long ?? option.flags,
  value:
    option.required || option.optional ? { name: valueName(option.flags), choices: option.argChoices ?? [] } : null,
  text: words(byKey(option.description)),
});

const argumentOf = (argument: Argument): ArgumentDefinition => ({
  name: argument.name(),
  choices: argument.argChoices ?? [],
  text: words(byKey(argument.description)),
  required: argument.required,
  variadic: argument.variadic,
});

/** Returns commander's definition, without hidden parts: for completions and the manual. */
export const definitionOf = (command: Command): CommandDefinition => {
  const help = command.createHelp();
  return {
    name: command.name(),
    text: words(byKey(command.description())),
    options: help.visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map(argumentOf),
    // Those too that the help only names.
    commands: command.commands.map(definitionOf),
    startsProgram: command.usage().includes('-- CMD'),
  };
};

/** Returns every command by its words: `hooks`, `hooks install` … The program has none. */
export const everyCommand = (
  definition: CommandDefinition,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly command: CommandDefinition }[] => [
  { path, command: definition },
  ...definition.commands.flatMap((command) => everyCommand(command, [...path, command.name])),
];
