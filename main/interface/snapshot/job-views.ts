import { jobView } from '../../../app/contract/views/job-view-of.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment, momentOrNull } from '../../../app/contract/views/view.ts';
import type { Wording } from '../../../app/contract/views/wording.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { localHost } from '../../../app/remote/host-name.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { english } from '../../../app/text/english.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';

const redacted = new WeakMap<readonly string[], string>();

/** Redacting is the dear part of a view, and the source gives the same arguments for a row as long as they don't change. */
const wording: Wording = {
  ...english,
  args: (argv, comm) => {
    const known = redacted.get(argv);
    if (known !== undefined) return known;
    const text = english.args(argv, comm);
    if (argv.length > 0) redacted.set(argv, text);
    return text;
  },
};

/** What a job is shown by. */
type Judged = Pick<JudgedJob, 'job' | 'verdict' | 'vetoes'>;

/** Less than so many seconds is no silence, only the time between two looks. */
const silenceSeconds = 60;

/** A job as windows show it; of this machine if none is named. */
export const snapshotJob = (judged: Judged, table: ProcessTable, host: string = localHost): SnapshotJob => {
  const { ageSeconds: _age, silentSeconds, members, ...rest } = jobView({ ...judged, table }, wording);
  const ago = (seconds: number): string => moment(Math.round(table.takenAtMs - seconds * 1000));
  const { owner } = judged.job;
  return {
    ...rest,
    host,
    members: members.map(({ ageSeconds, ...member }) => ({ ...member, startedAt: ago(ageSeconds) })),
    silentSince: silentSeconds < silenceSeconds ? null : ago(silentSeconds),
    goneSince: owner.state === 'gone' ? momentOrNull(owner.sinceMs) : null,
  };
};

/** A look at a machine. */
export interface HostLook {
  readonly host: string;
  readonly look: Look;
}

/** What of a look is shown of its jobs. */
interface Seen {
  readonly host: string;
  readonly look: { readonly table: ProcessTable; readonly jobs: ReadonlyMap<string, Judged> };
}

/** All jobs of all looks, worst first. */
export const snapshotJobs = (looks: readonly Seen[]): SnapshotJob[] => {
  const from = new Map(
    looks.flatMap(({ host, look }) => [...look.jobs.values()].map((judged) => [judged, { host, look }])),
  );
  return worstFirst(from.keys()).flatMap((judged) => {
    const at = from.get(judged);
    return at === undefined ? [] : [snapshotJob(judged, at.look.table, at.host)];
  });
};
