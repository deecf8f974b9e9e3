import type { ChannelRound } from '../../process/channels.ts';
import type { ProcessRow } from '../../process/row.ts';
import { relationsOf } from '../../process/tree.ts';
import type { PossibleClient } from './clients.ts';
import type { Job } from '../../model/job.ts';
import { browserParts, inheritedEnds } from '../servers/server-tree.ts';

export interface AbandonedCheck {
  readonly job: Pick<Job, 'members'>;
  readonly rows: ReadonlyMap<ProcessRow['pid'], ProcessRow>;
  /** Begun for this question. */
  readonly round: ChannelRound;
  readonly clients: readonly PossibleClient[];
}

const inodeOf = (end: string): string | null => /^socket:\[(\d+)\]$/u.exec(end)?.[1] ?? null;

/**
 * Asks again whether no process can speak to one of an abandoned server: each of its channels is
 * closed or leads to another of the server, it listens nowhere, and no client is connected. False
 * where anything of it can't be seen.
 */
export const isStillAbandoned = (row: ProcessRow, { job, rows, round, clients }: AbandonedCheck): boolean => {
  const channels = round.of(row.pid);
  if (channels === null || !channels.complete) return false;
  const inside = new Set<string>();
  for (const member of [...job.members.map((one) => one.row), row])
    for (const end of round.ends(member.pid) ?? []) inside.add(end);
  const isBrowser = browserParts({ tree: relationsOf(rows) }, job.members).has(row.pid);
  if (channels.listens.length > 0 && !isBrowser) return false;
  const sockets = new Set([...inside].map(inodeOf));
  const isOwn = ({ peers }: PossibleClient): boolean => peers?.every((peer) => sockets.has(peer)) === true;
  const inherited = (): ReadonlySet<string> => inheritedEnds({ tree: relationsOf(rows) }, round, [...job.members]);
  return (
    clients.every(isOwn) &&
    channels.held.every(
      ({ fd, end, far, otherEnd }) =>
        far === 'closed' || (otherEnd !== null && (inside.has(otherEnd) || (fd > 2 && inherited().has(end)))),
    )
  );
};
