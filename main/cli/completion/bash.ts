import { type CommandDefinition, everyCommand } from './definition.ts';

const words = (command: CommandDefinition): string =>
  [
    ...command.commands.map(({ name }) => name),
    ...command.options.flatMap(({ short, long }) => (short === null ? [long] : [short, long])),
    ...command.arguments.flatMap(({ choices }) => choices),
  ].join(' ');

/** Returns the completions of an option: its choices, files, or none. */
const afterOptions = (path: readonly string[], command: CommandDefinition): readonly string[] =>
  command.options.flatMap(({ short, long, value }) => {
    if (value === null) return [];
    const key = (flag: string): string => `"${[...path, flag].join(' ')}"`;
    const keys = [long, ...(short === null ? [] : [short])].map(key).join('|');
    if (value.choices.length > 0)
      return [`    ${keys}) COMPREPLY=($(compgen -W "${value.choices.join(' ')}" -- "$current")); return ;;`];
    if (value.name === 'file') return [`    ${keys}) COMPREPLY=($(compgen -f -- "$current")); return ;;`];
    return [`    ${keys}) return ;;`];
  });

/**
 * Returns a completion script for bash, for `source <(curfew completion bash)` or a file in
 * bash-completion's folder
 * (https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html). Works without
 * the bash-completion package.
 */
export const bashCompletion = (program: CommandDefinition): string => {
  const all = everyCommand(program);
  const known = all.flatMap(({ path }) => (path.length === 0 ? [] : [`"${path.join(' ')}"`]));
  const starting = all.flatMap(({ path, command }) => (command.startsProgram ? [`"${path.join(' ')}"`] : []));
  return `# ${program.name} completion for bash: source <(${program.name} completion bash)
_${program.name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$path" in
    ${starting.length === 0 ? '"?"' : starting.join('|')})
      # What follows -- is another program's.
      if [[ $word == -- ]]; then
        if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); else COMPREPLY=($(compgen -c -- "$current")); fi
        return
      fi ;;
    esac
    case "\${path:+$path }$word" in
    ${known.join('|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "\${path:+$path }$previous" in
${all.flatMap(({ path, command }) => afterOptions(path, command)).join('\n')}
  esac
  case "$path" in
${all.map(({ path, command }) => `    "${path.join(' ')}") COMPREPLY=($(compgen -W "${words(command)}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -F _${program.name} ${program.name}
`;
};
