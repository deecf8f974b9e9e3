import type { LeftOpen } from '../../app/left-open/left-open.ts';
import type { Job } from '../../app/jobs/model/job.ts';
import type { VetoContext } from '../../app/judge/veto-rule.ts';
import type { Look } from '../observing/look.ts';
import { exchange } from '../os/programs/exchange.ts';
import type { ProcessSource } from '../os/processes/source.ts';

/** What is read and asked about things left open. */
export interface LeftOpenTools {
  readonly source: Pick<ProcessSource, 'facts' | 'channels' | 'read'>;
  /** The user that asks: the keeper of another user is never asked. */
  readonly uid: number;
  readonly home: string;
  readonly vetoContext: (job: Job, look: Look) => VetoContext;
}

/** How something left open is ended: by the command of its keeper, and by nothing else. */
export interface OwnEnd {
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** What it prints where it did nothing because something has changed; null: nothing. */
  readonly refused: string | null;
  /** The signal that the keeper sends first, for the record. */
  readonly signal: 'HUP' | 'TERM';
  /** How long its processes may take to end, milliseconds. */
  readonly patienceMs: number;
}

/** Something left open, and how it is ended where it may be. */
export interface Found {
  readonly leftOpen: LeftOpen;
  readonly end: OwnEnd | null;
}

/** A keeper that does not answer within this time is told of, milliseconds. */
const timeoutMs = 3_000;
const maxBytes = 1024 * 1024;

/** Only what the clients need to find their servers; nothing of Curfew's own. */
export const clientEnvironment = (home: string): Readonly<Record<string, string>> => ({
  HOME: home,
  LANG: 'C.UTF-8',
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
  TERM: 'dumb',
  ...(process.env['XDG_RUNTIME_DIR'] === undefined ? {} : { XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'] }),
});

/** Asks a keeper's client; null where it failed, with the reason in words. */
export const askClient = async (
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  patienceMs = timeoutMs,
): Promise<{ readonly text: string; readonly problem: null } | { readonly text: string; readonly problem: string }> => {
  const { answer, said, end } = await exchange({
    command,
    environment,
    input: new Uint8Array(),
    timeoutMs: patienceMs,
    maxBytes,
  });
  const text = answer.toString('utf8');
  if (end.kind === 'exited' && end.status === 0) return { text, problem: null };
  const [line = ''] = said.trim().split('\n');
  const how = end.kind === 'exited' ? `exit status ${end.status}` : end.kind.replaceAll('-', ' ');
  return { text, problem: line === '' ? how : `${how}: ${line.slice(0, 200)}` };
};
