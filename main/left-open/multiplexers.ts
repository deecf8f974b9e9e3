import { lstatSync } from 'node:fs';
import { jobIdOf } from '../../app/jobs/ledger/job-id.ts';
import type { Job } from '../../app/model/job.ts';
import {
  type LeftOpen,
  type LeftOpenRefusal,
  type TmuxSession,
  beganDetached,
  isFirstSession,
  killArguments,
  mayHaveBeenAttached,
  paneFormat,
  refusedText,
  screenSessionsIn,
  sessionFormat,
  tmuxSessionsIn,
} from '../../app/left-open/left-open.ts';
import { multiplexerName } from '../../app/programs/multiplexer.ts';
import { programOf } from '../../app/programs/program.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import { startedAtMs } from '../../app/process/table.ts';
import type { Said } from '../../app/format/said.ts';
import { visibleText } from '../../app/format/visible.ts';
import { signsOf } from '../../app/model/evidence.ts';
import { evidenceSaid } from '../../app/text/evidence.ts';
import { listed, say } from '../../app/text/say.ts';
import type { Look } from '../observing/look.ts';
import { clientEnvironment, runOwnCommand } from '../ending/own-command.ts';
import { isAsFree } from '../os/running-program.ts';
import { type LeftOpenItem, type LeftOpenTools, treeOf, vetoInside } from './found.ts';

/** A multiplexer that is a part of an agent's job. */
export interface KeptMultiplexer {
  readonly keeper: 'tmux' | 'screen';
  readonly server: ProcessRow;
  readonly job: Job;
}

/** Closing its terminals sends HUP; what ignores that stays. */
const patienceMs = 10_000;
const commandMs = 15_000;

const keeperOf = (row: ProcessRow): 'tmux' | 'screen' | null => {
  const name = multiplexerName(programOf(row));
  // Its clients end with their terminals.
  const leads = Number(row.sid) === Number(row.pid);
  if (!leads || name === null) return null;
  return name === 'tmux' ? 'tmux' : /^screen$/iu.test(name) ? 'screen' : null;
};

/**
 * The servers of multiplexers that a tool call started, by the marks and the ledger as for every
 * job. A server of the user is no part of a job, also where a tool call opened a session on it.
 */
export const keptMultiplexers = (look: Look): readonly KeptMultiplexer[] =>
  [...look.jobs.values()].flatMap(({ job }) =>
    job.run !== undefined || job.reach !== undefined
      ? []
      : job.members.flatMap(({ row }) => {
          const keeper = keeperOf(row);
          return keeper === null ? [] : [{ keeper, server: row, job }];
        }),
  );

type Common = Omit<LeftOpen, 'name' | 'inside' | 'refusal' | 'endWith' | 'startedAtMs'>;

const commonOf = (look: Look, { keeper, server, job }: KeptMultiplexer): Common => ({
  id: jobIdOf(look.table.bootId, server, new Set()),
  openedBy: 'call',
  keeper,
  image: null,
  agent: job.agent,
  session: job.session,
  project: job.project,
  owner: job.owner.state,
  evidence: listed(signsOf(job).map(evidenceSaid), '; '),
  kept: server,
});

/** A mark that a program may have inherited from the user's shell proves nothing. */
const weak = ({ job }: KeptMultiplexer): LeftOpenRefusal | null =>
  job.owner.state === 'unknown' ? { code: 'may-belong' } : null;

const unanswered = (look: Look, kept: KeptMultiplexer, why: Said): LeftOpenItem => ({
  leftOpen: {
    ...commonOf(look, kept),
    name: '?',
    startedAtMs: startedAtMs(look.table, kept.server.startTicks),
    inside: treeOf(look, [kept.server.pid]).filter(({ pid }) => pid !== kept.server.pid),
    refusal: { code: 'unanswered', why },
    endWith: [],
  },
  end: null,
});

/** The path on which a server listens; the program that it is, also where that was replaced. */
const clientOf = (
  tools: LeftOpenTools,
  { server, keeper }: KeptMultiplexer,
): { readonly program: string; readonly socket: string } | { readonly why: Said } => {
  if (process.geteuid?.() !== tools.uid || server.uid !== tools.uid)
    return { why: say('its {keeper} is another user’s', { keeper }) };
  if (!isAsFree(server)) return { why: say('its {keeper} runs in a sandbox or container', { keeper }) };
  const file = tools.source.facts([server]).get(server.pid)?.executable ?? null;
  const name = file?.slice(file.lastIndexOf('/') + 1).replace(/ \(deleted\)$/u, '') ?? '';
  if (!name.startsWith(keeper)) return { why: say('its program is not known to be {keeper}', { keeper }) };
  const sockets =
    tools.source
      .channels?.()
      .of(server.pid)
      ?.listens.filter((path) => path.startsWith('/')) ?? [];
  const [socket] = sockets;
  return socket === undefined || sockets.length > 1
    ? { why: say('the socket of its {keeper} is not known', { keeper }) }
    : { program: `/proc/${server.pid}/exe`, socket };
};

const refusalOf = (
  tools: LeftOpenTools,
  look: Look,
  kept: KeptMultiplexer,
  inside: readonly ProcessRow[],
): LeftOpenRefusal | null => {
  const veto = vetoInside(tools, look, kept.job, kept.server, inside);
  return weak(kept) ?? (veto === null ? null : { code: 'protected', veto });
};

const tmuxRefusal = (session: TmuxSession): LeftOpenRefusal | null => {
  if (session.attached > 0) return { code: 'attached' };
  if (session.lastAttached !== '') return { code: 'was-attached' };
  return isFirstSession(session) ? null : { code: 'may-belong' };
};

/** The sessions of a tmux server that a tool call started. */
const tmuxSessions = async (
  tools: LeftOpenTools,
  look: Look,
  kept: KeptMultiplexer,
): Promise<readonly LeftOpenItem[]> => {
  const client = clientOf(tools, kept);
  if ('why' in client) return [unanswered(look, kept, client.why)];
  const { program, socket } = client;
  const environment = clientEnvironment(tools.home);
  const ask = (...args: readonly string[]) => runOwnCommand({ command: [program, '-S', socket, ...args], environment });
  const [sessions, panes] = await Promise.all([
    ask('list-sessions', '-F', sessionFormat),
    ask('list-panes', '-a', '-F', paneFormat),
  ]);
  const problem = sessions.problem ?? panes.problem;
  if (problem !== null)
    return [unanswered(look, kept, say('its tmux gives no answer ({problem})', { problem: visibleText(problem) }))];
  const found = tmuxSessionsIn(sessions.text, panes.text);
  // Another server listens where this one did.
  if (found === null || found.some(({ server }) => server !== kept.server.pid))
    return [unanswered(look, kept, say('what its tmux answers is not understood'))];
  return found.map((session): LeftOpenItem => {
    const inside = treeOf(look, session.panes);
    const refusal = tmuxRefusal(session) ?? refusalOf(tools, look, kept, inside);
    const common = commonOf(look, kept);
    return {
      leftOpen: {
        ...common,
        id: session.id === '$0' ? common.id : `${common.id}${session.id.slice(1)}`,
        name: session.name,
        startedAtMs: session.created * 1000,
        inside,
        refusal,
        endWith: ['tmux', '-S', socket, 'kill-session', '-t', session.id],
      },
      end:
        refusal === null
          ? {
              command: [program, '-S', socket, ...killArguments(session)],
              environment,
              refused: refusedText,
              signal: 'HUP',
              patienceMs,
              commandMs,
            }
          : null,
    };
  });
};

/** True where it can't be told as well. */
const wasAttached = (socket: string, startedMs: number): boolean => {
  try {
    const { birthtimeMs, ctimeMs } = lstatSync(socket);
    return mayHaveBeenAttached({ bornMs: birthtimeMs, changedMs: ctimeMs }, startedMs);
  } catch {
    return true;
  }
};

/** The session of one screen process that a tool call started. */
const screenSession = async (
  tools: LeftOpenTools,
  look: Look,
  kept: KeptMultiplexer,
): Promise<readonly LeftOpenItem[]> => {
  const { server } = kept;
  const client = clientOf(tools, kept);
  if ('why' in client) return [unanswered(look, kept, client.why)];
  const { program, socket } = client;
  const folder = socket.slice(0, socket.lastIndexOf('/'));
  const environment = { ...clientEnvironment(tools.home), SCREENDIR: folder };
  // Its exit status says how many there are in some versions, and that none answers in others.
  const { text } = await runOwnCommand({ command: [program, '-ls'], environment });
  const session = screenSessionsIn(text).find(({ pid }) => pid === server.pid);
  if (session === undefined || !socket.endsWith(`/${session.pid}.${session.name}`))
    return [unanswered(look, kept, say('its screen does not name it'))];
  const inside = treeOf(look, [server.pid]).filter(({ pid }) => pid !== server.pid);
  const refusal: LeftOpenRefusal | null = !session.detached
    ? { code: 'attached' }
    : !beganDetached(server.argv) || wasAttached(socket, startedAtMs(look.table, server.startTicks))
      ? { code: 'was-attached' }
      : refusalOf(tools, look, kept, inside);
  const target = `${session.pid}.${session.name}`;
  return [
    {
      leftOpen: {
        ...commonOf(look, kept),
        name: session.name,
        startedAtMs: startedAtMs(look.table, server.startTicks),
        inside,
        refusal,
        endWith: ['screen', '-S', target, '-X', 'quit'],
      },
      end:
        refusal === null
          ? {
              command: [program, '-S', target, '-X', 'quit'],
              environment,
              refused: null,
              signal: 'HUP',
              patienceMs,
              commandMs,
            }
          : null,
    },
  ];
};

/** Asks the multiplexers what they keep. */
export const multiplexerSessions = async (
  tools: LeftOpenTools,
  look: Look,
  kept: readonly KeptMultiplexer[],
): Promise<readonly LeftOpenItem[]> => {
  const all = await Promise.all(
    kept.map((one) => (one.keeper === 'tmux' ? tmuxSessions : screenSession)(tools, look, one)),
  );
  return all.flat();
};
