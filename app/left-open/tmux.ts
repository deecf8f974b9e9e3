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
