import type { JobId, Client } from '../../model/job.ts';

/** A connection that a process has, or may have, and what holds its other end. */
export interface PossibleClient extends Client {
  /** Inodes of sockets one of which is the other end; null where not here, or not known. */
  readonly peers: readonly string[] | null;
  /** Processes that hold the other end, where that is told by pid instead. */
  readonly holders?: readonly number[];
  /** It is standard input, output or error, and leads to the program that started the process. */
  readonly standard?: true;
  /** No name leads to either end: only a program that inherited it has the other one. */
  readonly isPair?: true;
  /** It was closed this long ago, seconds awake; left out: it is open. */
  readonly agoSeconds?: number;
}

/** What a job is connected to, and what becomes of it at this look without regard to that. */
export interface ConnectedJob {
  readonly id: JobId;
  /** `now`: it is ended at this look; `told`: its end is announced at it. */
  readonly ends: 'now' | 'told' | 'not';
  /** Inodes of all sockets that its members hold. */
  readonly sockets: ReadonlySet<string>;
  readonly pids: ReadonlySet<number>;
  readonly possibleClients: readonly PossibleClient[];
}

type Other = Pick<ConnectedJob, 'sockets' | 'pids'>;

/** Whether all that may be the other end is held by these. */
const isHeldBy = ({ peers, holders }: PossibleClient, several: readonly Other[]): boolean =>
  (holders ?? peers) !== null &&
  (holders ?? []).every((pid) => several.some(({ pids }) => pids.has(pid))) &&
  (holders !== undefined || (peers ?? []).every((peer) => several.some(({ sockets }) => sockets.has(peer))));

/**
 * Returns the jobs that are connected to something other than themselves and jobs that end no later
 * than they do: the user's client, a browser's page, an agent that lives, a display. A leftover
 * that is kept, exempt or protected is a client as any other: ending the job would cut it off. What
 * could not be learned counts as in use.
 * @param agents what else was started by agents: a client among them says so
 */
export const clientsOf = (
  jobs: readonly ConnectedJob[],
  level: 'now' | 'told',
  agents: readonly Other[] = [],
): ReadonlyMap<JobId, Client> => {
  const uses = new Map<JobId, Client>();
  for (let settled = false; !settled;) {
    settled = true;
    const useless = jobs.filter(({ id, ends }) => !uses.has(id) && (ends === 'now' || ends === level));
    for (const job of jobs) {
      if (uses.has(job.id)) continue;
      const found = job.possibleClients.filter((one) => !isHeldBy(one, [job, ...useless]));
      const use = found.find((one) => !isHeldBy(one, [job, ...agents])) ?? found[0];
      if (use === undefined) continue;
      const byAgent = isHeldBy(use, [job, ...agents]);
      uses.set(job.id, { by: use.by, at: use.at, from: use.from, ...(byAgent ? { byAgent } : {}) });
      settled = false;
    }
  }
  return uses;
};
