/** A tool call that leaves `tail`, known by the number that takes the place of `N`. */
interface LeavingCall {
  readonly command: string;
  /** Asks for the agent's own background. */
  readonly background?: boolean;
  /**
   * It forks twice at once, closes its output and leaves group and kernel session: without a
   * control group of its tool calls nothing is sure to see it.
   */
  readonly hides?: boolean;
}

const quiet = '>/dev/null 2>&1 </dev/null';
/** Takes two seconds; Claude Code refuses a call that begins with a sleep. */
const works = 'timeout 2 tail -f /dev/null;';
const forksTwice = `perl -e 'use POSIX; exit if fork; setsid; exit if fork; open STDIN, "</dev/null"; open STDOUT, ">/dev/null"; open STDERR, ">&STDOUT"; exec "tail", "-n", "N", "-f", "/dev/null"'`;

/** What a tool call leaves, by the shape of its command and how long it takes. */
export const calls = {
  "the agent's own background": { command: 'tail -n N -f /dev/null | cat', background: true },
  '`x &`': { command: 'tail -n N -f /dev/null &' },
  '`(x &)`': { command: '(tail -n N -f /dev/null &)' },
  '`nohup x &`, no output': { command: `nohup tail -n N -f /dev/null ${quiet} &` },
  '`x & disown`, no output': { command: `tail -n N -f /dev/null ${quiet} & disown` },
  '`set -m; x &`, no output': { command: `bash -c 'set -m; tail -n N -f /dev/null & disown' ${quiet}` },
  '`(x | cat) &`, no output': { command: `(tail -n N -f /dev/null | cat) ${quiet} &` },
  '`npm run x &`, no output': { command: `npm run --silent nap -- N ${quiet} &` },
  '`setsid x &`': { command: 'setsid tail -n N -f /dev/null &' },
  '`setsid x &`, no output': { command: `setsid tail -n N -f /dev/null ${quiet} &` },
  '`setsid x &`, no output, 50 ms': { command: `setsid tail -n N -f /dev/null ${quiet} & sleep 0.05` },
  '`setsid x &`, no output, 150 ms': { command: `setsid tail -n N -f /dev/null ${quiet} & sleep 0.15` },
  '`setsid x &`, no output, 500 ms': { command: `setsid tail -n N -f /dev/null ${quiet} & sleep 0.5` },
  '`setsid x &`, no output, 2 s': { command: `setsid tail -n N -f /dev/null ${quiet} & sleep 2` },
  '`setsid x &`, no output, after 2 s': { command: `${works} setsid tail -n N -f /dev/null ${quiet} &` },
  '`nohup x &`, no output, after 2 s': { command: `${works} nohup tail -n N -f /dev/null ${quiet} &` },
  '`((setsid x &) &)`': { command: '( (setsid tail -n N -f /dev/null &) & )' },
  '`((x &) &)`, no output': { command: `( (tail -n N -f /dev/null ${quiet} &) & )` },
  '`((setsid x &) &)`, no output': { command: `( (setsid tail -n N -f /dev/null ${quiet} &) & )`, hides: true },
  'a daemon that forks twice, no output': { command: forksTwice, hides: true },
} as const satisfies Readonly<Record<string, LeavingCall>>;

/** The name of a call. */
export type CallName = keyof typeof calls;

/** All names, in the order of the table. */
export const callNames = Object.keys(calls) as readonly CallName[];

/** Returns a call with this number in it. */
export const callWith = (name: CallName, number: number): LeavingCall => {
  const call: LeavingCall = calls[name];
  return { ...call, command: call.command.replaceAll(/\bN\b/gu, String(number)) };
};
