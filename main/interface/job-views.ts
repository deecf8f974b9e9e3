import { jobView } from '../../app/contract/job-view-of.ts';
import type { SnapshotJob } from '../../app/contract/snapshot.ts';
import type { Wording } from '../../app/contract/wording.ts';
import { worstFirst } from '../../app/judge/worst-first.ts';
import { localHost } from '../../app/remote/host-name.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { english } from '../../app/text/english.ts';
import type { JudgedJob, Look } from '../supervisor/look.ts';

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

/** A job as windows show it; of this machine if none is named. */
export const snapshotJob = (judged: JudgedJob, table: ProcessTable, host: string = localHost): SnapshotJob => ({
  ...jobView({ ...judged, table }, wording),
  host,
});

/** A look at a machine. */
export interface HostLook {
  readonly host: string;
  readonly look: Look;
}

/** All jobs of all looks, worst first. */
export const snapshotJobs = (looks: readonly HostLook[]): SnapshotJob[] => {
  const from = new Map(
    looks.flatMap(({ host, look }) => [...look.jobs.values()].map((judged) => [judged, { host, look }])),
  );
  return worstFirst(from.keys()).flatMap((judged) => {
    const at = from.get(judged);
    return at === undefined ? [] : [snapshotJob(judged, at.look.table, at.host)];
  });
};
