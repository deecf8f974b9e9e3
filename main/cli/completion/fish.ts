import { type CommandDefinition, everyCommand } from './definition.ts';

/** Single quotes leave \ and ' special: fishshell.com/docs/current/language.html#quotes */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/gu, (sign) => `\\${sign}`)}'`;

/** Returns the condition that exactly this command was typed so far. */
const condition = (path: readonly string[], command: CommandDefinition): string => {
  if (path.length === 0) return '__fish_use_subcommand';
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const further = command.commands.map(({ name }) => name);
  return [...seen, ...(further.length === 0 ? [] : [`not __fish_seen_subcommand_from ${further.join(' ')}`])].join(
    '; and ',
  );
};

/**
 * Returns a completion script for fish, for `curfew completion fish | source` or a file in its
 * folder (https://fishshell.com/docs/current/completions.html).
 */
export const fishCompletion = (program: CommandDefinition): string => {
  const lines = everyCommand(program).flatMap(({ path, command }) => {
    const start = `complete -c ${program.name} -n ${quoted(condition(path, command))}`;
    return [
      ...command.commands.map(({ name, text }) => `${start} -f -a ${name} -d ${quoted(text)}`),
      ...command.options.map(({ short, long, value, text }) => {
        const flags = `${short === null ? '' : ` -s ${short.slice(1)}`} -l ${long.slice(2)}`;
        const takes = value === null ? '' : value.name === 'file' ? ' -r -F' : ' -x';
        const choices = value === null || value.choices.length === 0 ? '' : ` -a ${quoted(value.choices.join(' '))}`;
        return `${start}${flags}${takes}${choices} -d ${quoted(text)}`;
      }),
      ...command.arguments
        .filter(({ choices }) => choices.length > 0)
        .map(({ choices, text }) => `${start} -f -a ${quoted(choices.join(' '))} -d ${quoted(text)}`),
      ...(command.startsProgram ? [`${start} -x -a '(__fish_complete_subcommand --fcs-skip=2)'`] : []),
    ];
  });
  return [`# ${program.name} completion for fish: ${program.name} completion fish | source`, ...lines, ''].join('\n');
};
