import type { AgentId } from '../agents/common/agent-id.ts';
import type { Job } from '../model/job.ts';
import type { AgentSession } from '../model/session.ts';
import type { Shortage } from './ceilings.ts';

/** Something that piles up without any one job being stuck. */
export type PileUp =
  | Shortage
  | {
      readonly code: 'many-shells';
      readonly agent: AgentId;
      readonly session: string;
      readonly jobs: number;
      readonly project: string | null;
    }
  | { readonly code: 'piled-sockets'; readonly folder: string; readonly sockets: number; readonly sessions: number }
  | { readonly code: 'large-output'; readonly job: string; readonly file: string; readonly bytes: number };

/** Sockets of agents in one temporary folder. */
export interface SocketFolder {
  readonly folder: string;
  readonly sockets: number;
}

/** Commands of one session from which on they are a pile. */
const manyShells = 10;
/**
 * A living session has one or two sockets (agents.md A7: the sandbox's proxy, and one to be talked
 * to); this many are left over.
 */
const socketsOfSession = 2;
const sparedSockets = 10;
/** An output of this size is looked at, whether it grows fast or slowly; bytes. */
const largeOutput = 250_000_000;

const crowdedSessions = (jobs: readonly Job[]): readonly PileUp[] => {
  const bySession = new Map<string, Job[]>();
  for (const job of jobs) {
    if (job.session === null) continue;
    const key = `${job.agent} ${job.session}`;
    bySession.set(key, [...(bySession.get(key) ?? []), job]);
  }
  return [...bySession.values()].flatMap((own): PileUp[] => {
    const [first] = own;
    if (first === undefined || first.session === null || own.length < manyShells) return [];
    const { agent, session, project } = first;
    return [{ code: 'many-shells', agent, session, jobs: own.length, project }];
  });
};

/**
 * What piles up on a machine: many commands of one session, sockets that sessions left behind,
 * outputs past a size. Pure; the largest first within each kind.
 */
export const pileUpsOf = (
  jobs: readonly Job[],
  sessions: readonly AgentSession[],
  sockets: readonly SocketFolder[],
): readonly PileUp[] => {
  const living = sessions.filter(({ state }) => state !== 'gone').length;
  const outputs = new Map(
    jobs.flatMap((job) =>
      job.output === null ? [] : [[job.output, { job, bytes: job.holds.outputBytes ?? 0 }] as const],
    ),
  );
  return [
    ...crowdedSessions(jobs),
    ...sockets.flatMap(({ folder, sockets: count }): PileUp[] =>
      count < living * socketsOfSession + sparedSockets
        ? []
        : [{ code: 'piled-sockets', folder, sockets: count, sessions: living }],
    ),
    ...[...outputs]
      .filter(([, { bytes }]) => bytes >= largeOutput)
      .toSorted(([, left], [, right]) => right.bytes - left.bytes)
      .map(([file, { job, bytes }]): PileUp => ({ code: 'large-output', job: job.id, file, bytes })),
  ];
};
