import type {
  OlderSetsView,
  SessionCost,
  SessionCosts,
  SessionList,
  ShownSessionState,
} from '../contract/views/session-costs.ts';
import { formatAge } from '../format/age.ts';
import type { Said } from '../format/said.ts';
import { type Form, joined, listed, say, several, sized } from './form.ts';
import { resumeSaid } from './reach.ts';

/** The states of a session, each in a word. */
export const sessionStates = {
  live: 'running',
  gone: 'ended',
  unknown: 'unknown',
  unreachable: 'unreachable',
} as const satisfies Readonly<Record<ShownSessionState, Form>>;

/** Returns memory, with a sign where it is at most so much. */
export const memorySaid = ({ measured, bytes }: SessionCost['memory']): Said =>
  measured === 'pss' ? sized(bytes) : listed(['≤ ', sized(bytes)], '');

/** Says what the servers of one session cost: "14 servers, 3.2 GB, 7 copies of one command". */
export const countServers = ({
  serverMemory,
  servers,
  mostCopies,
}: Pick<SessionCost, 'serverMemory' | 'servers' | 'mostCopies'>): Said =>
  listed(
    [
      several(servers, 'server'),
      memorySaid(serverMemory),
      ...(mostCopies < 2 ? [] : [say('{count} copies of one command', { count: mostCopies })]),
    ],
    ', ',
  );

/** The same as a sentence without a full stop; null for no server. */
export const sayServers = (cost: SessionCost): Said | null =>
  cost.servers === 0 ? null : say('This session: {servers}', { servers: countServers(cost) });

/** Says what all sessions cost together, and how their memory was measured: a sentence each. */
export const sayTotals = ({ sessions, totals }: SessionCosts): Said => {
  if (sessions.length === 0) return say('No session of an agent was found.');
  const states = (['live', 'unreachable', 'unknown', 'gone'] as const)
    .filter((state) => totals.sessions[state] > 0)
    .map((state) => {
      const count = totals.sessions[state];
      return state === 'live'
        ? say('{count} running', { count })
        : listed([String(count), say(sessionStates[state])], ' ');
    });
  const { memory } = totals;
  const measured = {
    pss: null,
    rss: 'Memory is resident size here, which counts shared pages several times.',
    mixed: 'Memory with ≤ is resident size, which counts shared pages several times.',
  } as const;
  const how = measured[memory.measured];
  const sum = listed(
    [
      several(totals.processes, 'process'),
      sized(memory.bytes),
      ...(memory.swapBytes === null || memory.swapBytes === 0
        ? []
        : [say('{size} in swap', { size: sized(memory.swapBytes) })]),
      say('{age} of processor time', { age: formatAge(totals.cpuSeconds) }),
      several(totals.jobs, 'job'),
      several(totals.servers, 'server'),
    ],
    ', ',
  );
  return joined(
    say('{sessions} ({states}): {sum}.', {
      sessions: several(sessions.length, 'session'),
      states: listed(states, ', '),
      sum,
    }),
    ...(memory.privateBytes === null
      ? []
      : [say('Ending all would free {size}.', { size: sized(memory.privateBytes) })]),
    ...(how === null ? [] : [say(how)]),
  );
};

/**
 * Says whether the agent of a session is idle, what brings it back, and what ends it: a line each.
 * One that can't resume its session is said to be one first.
 */
export const sayIdle = ({
  idle,
  idleSaid,
  end,
  ownEnd,
  resume,
  pid,
}: SessionList['sessions'][number]): readonly Said[] => {
  if (idle === null || idleSaid === null || idle.state === 'unknown') return [];
  if (end === null && ownEnd === null) return [idleSaid];
  const back = resumeSaid(resume);
  const ends = say('Ends it: {command}', { command: `curfew reap --agent-pid ${pid}` });
  return resume === null ? [back, idleSaid, ends] : [idleSaid, back, ends];
};

/** Says in one line what older sets all hosts keep that the user may end; null for none. */
export const sayAllOlderSets = ({ olderSets }: Pick<SessionCosts, 'olderSets'>): Said | null => {
  const ends = olderSets.filter(({ sets }) => sets > 0);
  const [first] = ends;
  if (first === undefined) return null;
  const hosts = new Set(ends.map(({ host }) => host));
  const count = ends.reduce((sum, { sets }) => sum + sets, 0);
  return say(count === 1 ? 'End {count} older set, {size}: {end}' : 'End {count} older sets, {size}: {end}', {
    count,
    size: sized(ends.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)),
    end: hosts.size === 1 ? `curfew reap --older-sets ${first.host}` : 'curfew sessions',
  });
};

/** Says what one host keeps several times, and what ends the older sets. */
export const sayOlderSets = ({ host, command, sets, waiting, memoryBytes }: OlderSetsView): Said =>
  sets === 0
    ? say(
        waiting === 1
          ? 'Process {pid} keeps {count} older set of {command}: in use, no complete younger one, or not watched for 6 h.'
          : 'Process {pid} keeps {count} older sets of {command}: in use, no complete younger one, or not watched for 6 h.',
        {
          pid: host,
          count: waiting,
          command,
        },
      )
    : say(
        sets === 1
          ? 'End {count} older set, {size}: {end} ({command})'
          : 'End {count} older sets, {size}: {end} ({command})',
        {
          count: sets,
          size: sized(memoryBytes),
          end: `curfew reap --older-sets ${host}`,
          command,
        },
      );
