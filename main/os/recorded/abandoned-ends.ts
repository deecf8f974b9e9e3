import type { PossibleClient } from '../../../app/jobs/measure/clients.ts';
import { isStillAbandoned } from '../../../app/jobs/measure/still-abandoned.ts';
import type { Job } from '../../../app/model/job.ts';
import type { Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { RemoteChannels } from './channels.ts';

/** What the ends of an abandoned server are read from: one answer. */
export interface AbandonedEndsInput {
  readonly rows: ReadonlyMap<Pid, ProcessRow>;
  readonly channels: RemoteChannels;
  readonly clientsOf: (row: ProcessRow) => readonly PossibleClient[];
}

/** No sockets and pipes of a process read like this, so a signal is not confirmed. */
const spokenTo = 'spoken to';

/**
 * Returns what reads the sockets and pipes of a process of an abandoned server, for a signal to be
 * confirmed by over there. A process that another one may speak to gives what confirms nothing.
 */
export const abandonedEnds =
  ({ rows, channels, clientsOf }: AbandonedEndsInput, job: Pick<Job, 'members'>) =>
  (pid: Pid): string => {
    const row = rows.get(pid);
    if (row === undefined) return spokenTo;
    const isLeft = isStillAbandoned(row, { job, rows, round: channels, clients: clientsOf(row) });
    return (isLeft ? channels.evidence(pid) : null) ?? spokenTo;
  };
