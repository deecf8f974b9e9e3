import type { Rule } from '../script/guard-call.ts';
import type { Place } from '../script/places.ts';
import { programOf } from '../script/program.ts';

/** Commands that nobody writes as an argument by chance; with a word of their own behind them. */
const commands = new Set(['echo', 'printf', 'cd', 'sleep', 'exit', 'export']);

/** Programs whose arguments may be any words, names of commands among them: what they run, look for, or call a command of their own. */
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
    // What stands right behind the redirection, or behind others that stand right behind it.
    const behind = command.words.filter(({ start }) => start >= output.end);
    const [name, argument] = behind;
    const before = command.words.filter(({ end }) => end <= output.start);
    if (name === undefined || argument === undefined || before.length === 0) continue;
    if (name.value !== null && name.value === name.text && commands.has(name.value)) return name.value;
  }
  return null;
};

/**
 * A redirection behind which the next command stands, with the `;` or `&&` forgotten: `jq . a.json > out.json echo "written"` gives jq
 * two more files to read and says nothing.
 */
export const swallowedCommand: Rule = ({ places }) => {
  for (const place of places) {
    const swallowed = swallowedBy(place);
    if (swallowed === null) continue;
    const name = place.command.words[0]?.text ?? '';
    return {
      sentence: `\`${swallowed}\` behind the redirection is not run but given to \`${name}\` as an argument: put && or ; in front of \`${swallowed}\`.`,
      bounds: [],
    };
  }
  return null;
};
