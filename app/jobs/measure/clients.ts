import type { JobId, Client } from '../model/job.ts';

/**
 * A connection that was made to a process, whose own socket is the serving end; its own one to a
 * display; or that there may be one.
 */
export interface PossibleClient extends Client {
  /**
   * Inodes of sockets of which one is the other end; null where it isn't on this machine, or
   * nothing tells which it is.
   */
  readonly peers: readonly string[] | null;
}

/** What is known of a job's sockets. */
export interface SocketsOfJob {
  readonly id: JobId;
  /** Its session has ended. */
  readonly ended: boolean;
  /** Inodes of all sockets that its members hold. */
  readonly sockets: ReadonlySet<string>;
  readonly possibleClients: readonly PossibleClient[];
}

/**
 * Returns the jobs that have a client: a connection to them is open, and its other end is held by
 * neither themselves nor by another leftover that has no client either. The user's client, a
 * browser's page, an agent that lives: ending the job would cut them off. Or it shows windows on a
 * display that isn't a part of it: what an agent opened for the user (a document, a picture) is a
 * program in which the user may have work that was not saved. What could not be learned counts as
 * in use.
 */
export const clientsOf = (jobs: readonly SocketsOfJob[]): ReadonlyMap<JobId, Client> => {
  const uses = new Map<JobId, Client>();
  for (let settled = false; !settled;) {
    settled = true;
    const useless = new Set(jobs.flatMap(({ id, ended, sockets }) => (ended && !uses.has(id) ? [...sockets] : [])));
    for (const { id, sockets, possibleClients: served } of jobs) {
      if (uses.has(id)) continue;
      const use = served.find(({ peers }) => peers?.every((peer) => sockets.has(peer) || useless.has(peer)) !== true);
      if (use === undefined) continue;
      uses.set(id, { by: use.by, at: use.at, from: use.from });
      settled = false;
    }
  }
  return uses;
};
