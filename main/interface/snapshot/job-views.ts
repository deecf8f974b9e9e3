import { ownerSaid } from '../../../app/format/said.ts';
import { safeName } from '../../../app/format/secrets/safe-view.ts';
import type { SafeText } from '../../../app/format/secrets/safe-text.ts';
import { jobView } from '../../../app/documents/job.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import { moment, momentOrNull } from '../../../app/format/moment.ts';
import { redactProcess } from '../../../app/format/secrets/redact.ts';
import { worstFirst } from '../../../app/judge/worst-first.ts';
import { localHost } from '../../../app/remote/host-list.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import type { JudgedJob, Look } from '../../observing/look.ts';

const redacted = new WeakMap<readonly string[], SafeText>();

/** Redacting is the view's main cost; an unchanged row has the same arguments object. */
const argsOf = (row: ProcessRow): SafeText => {
  const known = redacted.get(row.argv);
  if (known !== undefined) return known;
  const text = redactProcess(row);
  if (row.argv.length > 0) redacted.set(row.argv, text);
  return text;
};

type Judged = Pick<JudgedJob, 'job' | 'verdict' | 'vetoes'>;

/** Shorter silence is not shown: it is only the time between two scans. */
const silenceSeconds = 60;

/** Returns the share of one core of a process; null: not known. */
export type CpuPercent = (host: string, row: ProcessRow) => number | null;

const unmeasured: CpuPercent = () => null;

/** Returns a job as windows show it; of this machine by default. */
export const snapshotJob = (
  judged: Judged,
  table: ProcessTable,
  host: string = localHost,
  cpuPercent: CpuPercent = unmeasured,
): SnapshotJob => {
  const { ageSeconds: _age, silentSeconds, members, ...rest } = jobView({ ...judged, table }, argsOf);
  const ago = (seconds: number): string => moment(Math.round(table.takenAtMs - seconds * 1000));
  const { owner } = judged.job;
  const cpuByPid = new Map<number, number | null>(
    judged.job.members.map(({ row }) => [row.pid, cpuPercent(host, row)]),
  );
  return {
    ...rest,
    ...ownerSaid(owner.evidence, safeName),
    host,
    members: members.map(({ ageSeconds, ...member }) => ({
      ...member,
      startedAt: ago(ageSeconds),
      cpuPercent: cpuByPid.get(member.pid) ?? null,
    })),
    silentSince: silentSeconds < silenceSeconds ? null : ago(silentSeconds),
    goneSince: owner.state === 'gone' ? momentOrNull(owner.sinceMs) : null,
  };
};

/** A scan of a machine. */
export interface HostLook {
  readonly host: string;
  readonly look: Look;
}

/** The part of a scan that is shown of its jobs. */
interface Seen {
  readonly host: string;
  readonly look: { readonly table: ProcessTable; readonly jobs: ReadonlyMap<string, Judged> };
}

/** Returns all jobs of all scans, worst first. */
export const snapshotJobs = (looks: readonly Seen[], cpuPercent?: CpuPercent): SnapshotJob[] => {
  const from = new Map(
    looks.flatMap(({ host, look }) => [...look.jobs.values()].map((judged) => [judged, { host, look }])),
  );
  return worstFirst(from.keys()).flatMap((judged) => {
    const at = from.get(judged);
    return at === undefined ? [] : [snapshotJob(judged, at.look.table, at.host, cpuPercent)];
  });
};
