import type { SessionCost, SessionCosts, ShownSessionState } from '../contract/views/session-costs.ts';
import { formatAge } from '../format/age.ts';
import { formatBytes } from '../format/bytes.ts';
import { counted } from './figures.ts';

export const stateWords: Readonly<Record<ShownSessionState, string>> = {
  live: 'running',
  gone: 'ended',
  unknown: 'unknown',
  unreachable: 'unreachable',
};

/** Says what the servers of one session cost: "14 servers, 3.2 GB, 7 copies of one command". */
export const countServers = ({
  serverMemory,
  servers,
  mostCopies,
}: Pick<SessionCost, 'serverMemory' | 'servers' | 'mostCopies'>): string => {
  const memory = `${serverMemory.measured === 'pss' ? '' : '≤ '}${formatBytes(serverMemory.bytes)}`;
  const copies = mostCopies < 2 ? '' : `, ${mostCopies} copies of one command`;
  return `${counted(servers, 'server')}, ${memory}${copies}`;
};

/** The same as a sentence without a full stop; null for no server. */
export const sayServers = (cost: SessionCost): string | null =>
  cost.servers === 0 ? null : `This session: ${countServers(cost)}`;

/** Says what all sessions cost together, and how their memory was measured: a sentence each. */
export const sayTotals = ({ sessions, totals }: SessionCosts): readonly string[] => {
  if (sessions.length === 0) return ['No session of an agent was found.'];
  const states = (['live', 'unreachable', 'unknown', 'gone'] as const)
    .filter((state) => totals.sessions[state] > 0)
    .map((state) => `${totals.sessions[state]} ${stateWords[state]}`)
    .join(', ');
  const { memory } = totals;
  const swap = memory.swapBytes === null || memory.swapBytes === 0 ? '' : `, ${formatBytes(memory.swapBytes)} in swap`;
  const frees = memory.privateBytes === null ? '' : ` Ending all would free ${formatBytes(memory.privateBytes)}.`;
  const measured = {
    pss: '',
    rss: ' Memory is resident size here, which counts shared pages several times.',
    mixed: ' Memory with ≤ is resident size, which counts shared pages several times.',
  } as const;
  return [
    `${counted(sessions.length, 'session')} (${states}): ${counted(totals.processes, 'process', 'processes')}, ${formatBytes(memory.bytes)}${swap}, ${formatAge(totals.cpuSeconds)} of processor time, ${counted(totals.jobs, 'job')}, ${counted(totals.servers, 'server')}.${frees}${measured[memory.measured]}`,
  ];
};
