import { exchange } from '../os/programs/exchange.ts';
import { passedOn } from '../os/programs/passed-on.ts';

/** How something is ended by a command of the program that keeps it, and by nothing else. */
export interface EndByKeeper {
  readonly command: readonly [string, ...string[]];
  /** The name under which the program is started, where that is not its file. */
  readonly calledAs?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints where it did nothing because something has changed; null: nothing. */
  readonly refused: string | null;
  /** The signal that the program sends first, for the record. */
  readonly signal: 'HUP' | 'TERM';
  /** How long its processes may take to end, milliseconds. */
  readonly patienceMs: number;
  /** After which time the command itself is ended, milliseconds. */
  readonly commandMs: number;
}

/** A program that does not answer within this time is told of, milliseconds. */
const timeoutMs = 3_000;
const maxBytes = 1024 * 1024;

/** Only what programs need to find their servers; nothing of Curfew's own. */
export const clientEnvironment = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  LANG: 'C.UTF-8',
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  TERM: 'dumb',
  ...passedOn(['XDG_RUNTIME_DIR']),
});

/** Runs such a command; `problem` says in words why it failed. */
export const runOwnCommand = async ({
  command,
  calledAs,
  environment,
  commandMs = timeoutMs,
}: Pick<EndByKeeper, 'command' | 'calledAs' | 'environment'> & { readonly commandMs?: number }): Promise<
  { readonly text: string; readonly problem: null } | { readonly text: string; readonly problem: string }
> => {
  const { answer, said, end } = await exchange({
    command,
    ...(calledAs === undefined ? {} : { calledAs }),
    environment,
    input: new Uint8Array(),
    timeoutMs: commandMs,
    maxBytes,
  });
  const text = answer.toString('utf8');
  if (end.kind === 'exited' && end.status === 0) return { text, problem: null };
  const [line = ''] = said.trim().split('\n');
  const how = end.kind === 'exited' ? `exit status ${end.status}` : end.kind.replaceAll('-', ' ');
  return { text, problem: line === '' ? how : `${how}: ${line.slice(0, 200)}` };
};
