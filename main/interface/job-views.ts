import { jobView } from '../../app/contract/job-view-of.ts';
import type { SnapshotJob } from '../../app/contract/snapshot.ts';
import type { Wording } from '../../app/contract/wording.ts';
import { worstFirst } from '../../app/judge/worst-first.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { english } from '../../app/text/english.ts';
import type { JudgedJob, Look } from '../supervisor/look.ts';

/** This machine, as jobs name it. */
export const localHost = 'local';

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

/** A job of this machine as windows show it. */
export const snapshotJob = (judged: JudgedJob, table: ProcessTable): SnapshotJob => ({
  ...jobView({ ...judged, table }, wording),
  host: localHost,
});

/** All jobs of a look, worst first. */
export const snapshotJobs = (look: Look): SnapshotJob[] =>
  worstFirst(look.jobs.values()).map((judged) => snapshotJob(judged, look.table));
