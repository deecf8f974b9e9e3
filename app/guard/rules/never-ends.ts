import { type Arguments, argumentsOf, hasOption } from '../script/arguments.ts';
import { type GuardFacts, type Rule, isLeftRunning } from '../script/guard-call.ts';
import { type Program, programOf } from '../script/program.ts';

interface Follower {
  readonly valued: string;
  readonly longValued?: readonly string[];
  readonly staysWith: (given: Arguments, facts: GuardFacts) => boolean;
  /** True if it needs no operands. */
  readonly bare?: true;
  /** Why it does not belong in the background, if it does end. */
  readonly why?: string;
  readonly instead: string;
}

const followers: ReadonlyMap<string, Follower> = new Map<string, Follower>([
  [
    'tail',
    {
      valued: 'nc',
      longValued: ['--lines', '--bytes', '--pid', '--sleep-interval', '--max-unchanged-stats'],
      // With --pid it ends when that process does: tail(1).
      staysWith: (given) => hasOption(given, 'f', 'F', '--follow', '--retry') && !hasOption(given, '--pid'),
      instead: 'read what is there with `tail -n 50`',
    },
  ],
  [
    'watch',
    {
      valued: 'nq',
      staysWith: (given) => !hasOption(given, 'g', '--chgexit', 'q', '--equexit'),
      instead: 'run the command itself once',
    },
  ],
  [
    'inotifywait',
    {
      valued: 'te',
      longValued: ['--timeout', '--event', '--exclude', '--include', '--format', '--fromfile', '--outfile'],
      staysWith: (given) => !hasOption(given, 't', '--timeout'),
      instead: 'give it `-t SECONDS`',
    },
  ],
  [
    'less',
    {
      valued: '',
      staysWith: () => true,
      why: 'needs a user at a terminal to turn its pages',
      instead: 'print the file with `cat` or `head`',
    },
  ],
  [
    'ping',
    {
      valued: 'cwWiIstQpMmlS',
      // ping(8): -w is a deadline on Linux; on macOS it is -t, and -o ends it at the first reply.
      // On Windows it ends after four replies.
      staysWith: (given, { platform }) =>
        platform !== 'other' && !hasOption(given, 'c', 'w', ...(platform === 'darwin' ? ['t', 'o'] : [])),
      instead: 'give it a number of packets, `-c 4`',
    },
  ],
  [
    'journalctl',
    {
      valued: 'nupgtSUo',
      bare: true,
      longValued: ['--unit', '--lines', '--since', '--until'],
      staysWith: (given) => hasOption(given, 'f', '--follow'),
      instead: 'read what is there with `journalctl -n 100`',
    },
  ],
]);

/** Readers that end once they have what they want, and so end their writer. */
const endsItsWriter = (program: Program | null): boolean =>
  program === null || ['head', 'grep', 'egrep', 'rg', 'sed', 'awk', 'timeout', 'read', 'while'].includes(program.name);

const unending = 'never ends on its own, so in the background it runs on';

/** Finds a program in the background that follows or repeats something without an end. */
export const neverEnds: Rule = (call) => {
  const found = call.places.flatMap((place, index) => {
    if (!isLeftRunning(call, place)) return [];
    const program = programOf(place.command);
    const follower = program === null || program.bounded ? undefined : followers.get(program.name);
    if (program === null || follower === undefined || call.functions.has(program.name)) return [];
    const given = argumentsOf(program.args, follower);
    if (given === null || !follower.staysWith(given, call)) return [];
    if (hasOption(given, '--help', '--version') || (given.operands.length === 0 && follower.bare !== true)) return [];
    // `tail -f log | grep -m 1 ready` may be meant to end.
    const reader = call.places.slice(index + 1).find(({ substituted }) => !substituted);
    if (place.piped && reader?.fed === true && endsItsWriter(programOf(reader.command))) return [];
    return [{ program, follower }];
  });
  const [first] = found;
  if (first === undefined) return null;
  const { program, follower } = first;
  return {
    sentence: `\`${program.name}\` ${follower.why ?? unending}: ${follower.instead}, or put \`timeout SECONDS\` in front of it.`,
    bounds: found.map((one) => one.program.word.start),
  };
};
