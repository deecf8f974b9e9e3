import { describedSettings } from '../../../app/text/settings/described.ts';
import { type CommandDefinition, type OptionDefinition, everyCommand } from './definition.ts';

/** Escapes for roff (man-pages(7)), in which a dot or quote that starts a line is a command. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/`(?<code>[^`]*)`/gu, '\\fB$<code>\\fR')
    .replaceAll(/^(?=[.'])/gmu, '\\&');

const flags = ({ short, long, value }: OptionDefinition): string => {
  const names = [short, long].filter((flag) => flag !== null).map((flag) => `\\fB${plain(flag)}\\fR`);
  return `${names.join(', ')}${value === null ? '' : ` \\fI${plain(value.name)}\\fR`}`;
};

const optionLines = (option: OptionDefinition): readonly string[] => {
  const { text, value } = option;
  const choices = value === null || value.choices.length === 0 ? '' : ` (${value.choices.join(', ')})`;
  return ['.TP', flags(option), plain(`${text}${choices}`)];
};

const synopsis = (program: string, path: readonly string[], command: CommandDefinition): string => {
  const words = command.arguments.map(({ name, required, variadic }) => {
    const word = `\\fI${plain(name)}\\fR${variadic ? '…' : ''}`;
    return required ? word : `[${word}]`;
  });
  const rest = command.startsProgram ? ['\\-\\-', ...words] : words;
  return [
    `\\fB${[program, ...path].map(plain).join(' ')}\\fR`,
    ...(command.options.length > 0 ? ['[options]'] : []),
    ...rest,
  ].join(' ');
};

/** Returns the manual page, section 1: `version` in its footer, `date` (YYYY-MM-DD) on top. */
export const manual = (program: CommandDefinition, version: string, date: string): string => {
  const commands = everyCommand(program).filter(
    ({ command, path }) => path.length > 0 && command.commands.length === 0,
  );
  return [
    `.TH ${program.name.toUpperCase()} 1 "${date}" "${program.name} ${version}"`,
    '.SH NAME',
    `${program.name} \\- ends what AI coding agents leave running`,
    '.SH SYNOPSIS',
    `.B ${program.name}`,
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    plain(program.text),
    '.SH COMMANDS',
    ...commands.flatMap(({ path, command }) => [
      '.SS',
      synopsis(program.name, path, command),
      plain(command.text),
      ...command.options.filter(({ long }) => long !== '--help').flatMap(optionLines),
    ]),
    '.SH SETTINGS',
    plain('Read and changed with `curfew settings`. Durations are written 90 or 90s, 30m, 4h and 2d.'),
    ...describedSettings().flatMap(({ key, standard, allowed, text }) => [
      '.TP',
      `\\fB${plain(key)}\\fR`,
      plain(`${text} Default: ${standard}; allowed: ${allowed}.`),
    ]),
    '.SH EXIT STATUS',
    '.TP',
    '0',
    'done, also when nothing was found',
    '.TP',
    '1',
    'something asked for could not be done: a survivor, a host out of reach',
    '.TP',
    '2',
    'the call was wrong; one line says what is allowed',
    '.TP',
    '3',
    'Curfew itself failed',
    '.PP',
    plain('`curfew run` passes on the status of its command.'),
    '.SH ENVIRONMENT',
    '.TP',
    '.B CURFEW_HOME',
    'one folder for everything that Curfew keeps',
    '.TP',
    '.B CURFEW_KEEP',
    plain('a process with the value 1 is never signalled'),
    '.TP',
    '.B NO_COLOR',
    'no colours',
    '',
  ].join('\n');
};
