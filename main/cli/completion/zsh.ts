import type { ArgumentDefinition, CommandDefinition, OptionDefinition, ValueDefinition } from './definition.ts';

/** In a specification `[`, `]`, `:` and the backslash mean something; around it stand single quotes. */
const plain = (text: string): string => text.replaceAll(/[[\]:\\]/gu, (sign) => `\\${sign}`).replaceAll("'", "'\\''");

const action = ({ name, choices }: ValueDefinition): string => {
  if (choices.length > 0) return `(${choices.join(' ')})`;
  return name === 'file' ? '_files' : ' ';
};

const optionLine = ({ short, long, value, text }: OptionDefinition): string => {
  const takes = value === null ? '' : `:${plain(value.name)}:${action(value)}`;
  const flags = short === null ? `'${long}` : `'(${short} ${long})'{${short},${long}}'`;
  return `${flags}[${plain(text)}]${takes}'`;
};

/** Required arguments by their place; two with the same place are an error of `_arguments`. */
const argumentLine = (argument: ArgumentDefinition, index: number): string =>
  `'${argument.variadic ? '*' : argument.required ? index + 1 : ''}:${plain(argument.name)}:${action(argument)}'`;

const functionName = (path: readonly string[]): string => `_${path.join('_').replaceAll('-', '_')}`;

const functionFor = (path: readonly string[], command: CommandDefinition): readonly string[] => {
  const options = command.options.map(optionLine);
  if (command.commands.length === 0) {
    const rest = command.startsProgram
      ? ["'(-)1:program: _command_names -e'", "'*::arguments:_normal'"]
      : command.arguments.map(argumentLine);
    return [`${functionName(path)}() {`, `  _arguments -s ${[...options, ...rest].join(' \\\n    ')}`, '}', ''];
  }
  const described = command.commands.map(({ name, text }) => `'${plain(name)}:${plain(text)}'`);
  return [
    `${functionName(path)}() {`,
    '  local line state',
    `  _arguments -C ${[...options, "'1:command:->command'", "'*::argument:->argument'"].join(' \\\n    ')}`,
    '  case $state in',
    '  command)',
    `    local -a commands=(${described.join(' \\\n      ')})`,
    '    _describe command commands ;;',
    '  argument)',
    '    case $line[1] in',
    ...command.commands.map(({ name }) => `    ${name}) ${functionName([...path, name])} ;;`),
    '    esac ;;',
    '  esac',
    '}',
    '',
    ...command.commands.flatMap((one) => functionFor([...path, one.name], one)),
  ];
};

/** A completion script for zsh, to be put into a folder of `fpath` as `_curfew` (https://zsh.sourceforge.io/Doc/Release/Completion-System.html). */
export const zshCompletion = (program: CommandDefinition): string =>
  [
    `#compdef ${program.name}`,
    ...functionFor([program.name], program),
    // Sourced it registers itself, autoloaded it completes at once.
    `if [[ $funcstack[1] == _${program.name} ]]; then _${program.name} "$@"; else compdef _${program.name} ${program.name}; fi`,
    '',
  ].join('\n');
