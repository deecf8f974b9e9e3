import type { Rule } from '../script/guard-call.ts';
import type { Place } from '../script/places.ts';
import { programOf } from '../script/program.ts';

/** Commands that are not plausible as arguments if a further word follows. */
const commands = new Set(['echo', 'printf', 'cd', 'sleep', 'exit', 'export']);

/**
 * Programs whose arguments may be command names: what they run, search for, or call a subcommand.
 */
const takesAnyWords = new Set(
  'echo printf sudo doas xargs find ssh docker podman kubectl watch nice strace ltrace gdb perf flock parallel type which whereis man info help hash apropos tldr run exec env nohup time bash sh zsh dash eval test [ say git gh grep egrep fgrep rg ag ack awk sed poetry pdm uv pipenv redis-cli adb tmux screen'.split(
    ' ',
  ),
);

const swallowedBy = ({ command }: Place): string | null => {
  const program = programOf(command);
  if (program === null || program.word !== command.words[0] || takesAnyWords.has(program.name)) return null;
  const outputs = command.redirections.filter(({ kind, descriptor }) => kind === 'output' && descriptor === 1);
  for (const output of outputs) {
    // Returns the words right after the redirection, or after adjacent ones.
    const behind = command.words.filter(({ start }) => start >= output.end);
    const [name, argument] = behind;
    const before = command.words.filter(({ end }) => end <= output.start);
    if (name === undefined || argument === undefined || before.length === 0) continue;
    if (name.value !== null && name.value === name.text && commands.has(name.value)) return name.value;
  }
  return null;
};

/**
 * Finds a redirection followed by a command whose `;` or `&&` was forgotten: `jq . a.json >
 * out.json echo "written"` gives jq two more files to read, silently.
 */
export const swallowedCommand: Rule = ({ places }) => {
  for (const place of places) {
    const swallowed = swallowedBy(place);
    if (swallowed === null) continue;
    const name = place.command.words[0]?.text ?? '';
    return {
      sentence: `\`${swallowed}\` after the redirection is not run but passed to \`${name}\` as an argument: put && or ; before \`${swallowed}\`.`,
      bounds: [],
    };
  }
  return null;
};
