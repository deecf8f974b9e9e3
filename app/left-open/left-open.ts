import type { AgentId, AgentSessionId } from '../agents/common/agent-id.ts';
import type { Said } from '../format/said.ts';
import type { Veto } from '../judge/verdict.ts';
import type { Owner } from '../model/job.ts';
import type { ProcessRow } from '../process/row.ts';

/** A session of GNU screen, as `screen -ls` tells it. */
export interface ScreenSession {
  /** Its process, which alone keeps it. */
  readonly pid: number;
  readonly name: string;
  readonly detached: boolean;
}

/** `	3.watcher	(11/22/26 21:50:46)	(Detached)`; the moment is left out by some versions. */
const screenLine = /^\t(?<pid>\d+)\.(?<name>.+?)(?:\t\([^()]*\))*\t\((?<state>[^()]*)\)$/u;

/** Parses the list; what is not understood is no session. */
export const screenSessionsIn = (text: string): readonly ScreenSession[] =>
  text.split('\n').flatMap((one) => {
    const { pid, name, state } = screenLine.exec(one)?.groups ?? {};
    if (pid === undefined || name === undefined) return [];
    return [{ pid: Number(pid), name, detached: state === 'Detached' }];
  });

/** True where its own command line says that it began without a client (`-dm`, `-Dm`, `-d -m`). */
export const beganDetached = (argv: readonly string[]): boolean => {
  const flags = new Set<string>();
  for (const argument of argv.slice(1)) {
    if (!/^-[a-zA-Z]+$/u.test(argument)) continue;
    for (const letter of argument.slice(1)) flags.add(letter);
    // What follows names the session or is the command.
    if (argument.includes('S')) break;
  }
  return flags.has('m') && (flags.has('d') || flags.has('D'));
};

/** Wall clock milliseconds of a screen's socket. `bornMs` 0: the file system keeps none. */
export interface SocketTimes {
  readonly bornMs: number;
  readonly changedMs: number;
}

/** Between the start of a screen and its socket, and between that and its first mode. */
const beginningMs = 3000;

/**
 * True where a client may have been attached since: screen gives its socket another mode with every
 * client that comes or goes (chsock in its socket.c, observed with 4.9), which the file system
 * notes. Where a clock was set meanwhile the times say nothing, which counts as well.
 */
export const mayHaveBeenAttached = ({ bornMs, changedMs }: SocketTimes, startedMs: number): boolean =>
  Math.abs(changedMs - (bornMs > 0 ? bornMs : startedMs)) > beginningMs;

export interface TmuxSession {
  readonly server: number;
  /** Moment of the server's start, seconds since the epoch. */
  readonly serverStart: number;
  /** `$0`: given once in the life of a server. */
  readonly id: string;
  readonly created: number;
  /** Clients that are attached now. */
  readonly attached: number;
  /** When one was attached last; as tmux writes it, empty for never. */
  readonly lastAttached: string;
  readonly name: string;
  /** The first processes of its windows. */
  readonly panes: readonly number[];
}

/** What is asked of `list-sessions`; the name comes last, because it may hold anything. */
export const sessionFormat =
  '#{pid}|#{start_time}|#{session_id}|#{session_created}|#{session_attached}|#{session_last_attached}|#{session_name}';
/** What is asked of `list-panes -a`. */
export const paneFormat = '#{session_id}|#{pane_pid}|#{pane_dead}';

const sessionLine =
  /^(?<server>\d+)\|(?<start>\d+)\|(?<id>\$\d+)\|(?<created>\d+)\|(?<attached>\d+)\|(?<last>\d*)\|(?<name>.*)$/u;
const paneLine = /^(?<session>\$\d+)\|(?<pid>\d+)\|[01]?$/u;

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** Parses both answers of a server; null where one line is not understood. */
export const tmuxSessionsIn = (sessions: string, panes: string): readonly TmuxSession[] | null => {
  const pids = new Map<string, number[]>();
  for (const line of linesOf(panes)) {
    const { session, pid } = paneLine.exec(line)?.groups ?? {};
    if (session === undefined || pid === undefined) return null;
    pids.set(session, [...(pids.get(session) ?? []), Number(pid)]);
  }
  const found: TmuxSession[] = [];
  for (const line of linesOf(sessions)) {
    const groups = sessionLine.exec(line)?.groups;
    if (groups === undefined) return null;
    const { server, start, id = '', created, attached, last = '', name = '' } = groups;
    found.push({
      server: Number(server),
      serverStart: Number(start),
      id,
      created: Number(created),
      attached: Number(attached),
      lastAttached: last === '0' ? '' : last,
      name,
      panes: pids.get(id) ?? [],
    });
  }
  return found;
};

/**
 * True for the session with which a server began: the command that started the server opened it.
 * Later ones may be a user's, who works on the same server.
 */
export const isFirstSession = ({ id, created, serverStart }: TmuxSession): boolean =>
  id === '$0' && created - serverStart <= 1;

/** Text that the server prints where the session is not what was confirmed. */
export const refusedText = 'curfew: refused';

/**
 * Returns the arguments that end this very session. The server itself compares, in the same moment,
 * that it is this server and session, and that no client is or was attached; a client that comes in
 * between keeps it. A format that an old tmux does not know is empty, which ends nothing.
 */
export const killArguments = ({ server, id, created, lastAttached }: TmuxSession): readonly string[] => {
  const same = [
    `#{==:#{pid},${server}}`,
    `#{==:#{session_id},${id}}`,
    `#{==:#{session_created},${created}}`,
    '#{==:#{session_attached},0}',
    lastAttached === '' ? '#{?session_last_attached,0,1}' : '0',
  ].reduceRight((rest, one) => `#{&&:${one},${rest}}`);
  return ['if-shell', '-F', '-t', `${id}:`, same, `kill-session -t ${id}`, `display-message -p '${refusedText}'`];
};

/** By what a thing is kept that goes on beside its tool call. */
export type Keeper = 'tmux' | 'screen' | 'podman' | 'docker';

export const leftOpenRefusals = ['may-belong', 'attached', 'was-attached', 'unanswered', 'protected'] as const;

/** Why what is left open is not ended, whatever the user asks. */
export type LeftOpenRefusal =
  /** It is not proved that a tool call opened it. */
  | { readonly code: 'may-belong' }
  /** A client is attached: a user looks at it. */
  | { readonly code: 'attached' }
  /** A client was attached since it was opened: a user works in it. */
  | { readonly code: 'was-attached' }
  /** Its keeper gave no answer, or one that contradicts the process table. */
  | { readonly code: 'unanswered'; readonly why: Said }
  /** Something in it is not to be ended. */
  | { readonly code: 'protected'; readonly veto: Veto };

/**
 * What a tool call opened and what goes on without it: a session of a multiplexer, a container.
 * Curfew signals none of it. The user may end it, by the keeper's own command.
 */
export interface LeftOpen {
  /** What opened it: a tool call, or the server of a session that was attached to it. */
  readonly openedBy: 'call' | 'server';
  /** Names it for the user's order; steady as long as it lives. Lower case hexadecimal. */
  readonly id: string;
  readonly keeper: Keeper;
  /** Foreign text. */
  readonly name: string;
  /** Of a container; else null. Foreign text. */
  readonly image: string | null;
  readonly agent: AgentId;
  readonly session: AgentSessionId | null;
  readonly project: string | null;
  /** Its session, as far as it is known. */
  readonly owner: Owner['state'];
  /** How it is known that a tool call opened it; a sentence without a full stop. */
  readonly evidence: Said;
  readonly startedAtMs: number;
  /** The process that keeps it: the server, the monitor of a container. */
  readonly kept: ProcessRow;
  /** What runs in it. */
  readonly inside: readonly ProcessRow[];
  /** Null: the user may end it. */
  readonly refusal: LeftOpenRefusal | null;
  /** The command that ends it, as a user would write it. */
  readonly endWith: readonly string[];
}
