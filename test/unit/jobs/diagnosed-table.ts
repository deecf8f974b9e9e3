import type { Member } from '../../../app/jobs/job.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import type { Pid } from '../../../app/process/identity.ts';
import { asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';

/** A member with what a diagnosis looks at. */
export interface Planted {
  readonly pid: number;
  readonly blockedReading: number | null;
  /** Targets of its open files by number. */
  readonly files: Readonly<Record<number, string>>;
}

const rowOf = (pid: number): ProcessRow => ({
  pid: asPid(pid),
  ppid: asPid(1),
  pgid: asGroupId(10),
  sid: asKernelSessionId(10),
  tty: 0,
  state: 'S',
  startTicks: pid,
  cpuMs: 0,
  rssBytes: 0,
  uid: 1000,
  comm: 'cat',
  argv: ['cat'],
  kernelThread: false,
});

/** The members of one job, their rows and facts. */
export const tableOf = (
  processes: readonly Planted[],
): {
  readonly rows: ReadonlyMap<Pid, ProcessRow>;
  readonly members: readonly Member[];
  readonly facts: ReadonlyMap<number, MemberFacts>;
} => {
  const rows = processes.map(({ pid }) => rowOf(pid));
  return {
    rows: new Map(rows.map((row) => [row.pid, row])),
    members: rows.map((row): Member => ({ row, by: ['group'] })),
    facts: new Map(
      processes.map(({ pid, blockedReading, files }): [number, MemberFacts] => [
        pid,
        {
          environment: {},
          cwd: '/',
          cwdDeleted: false,
          executable: null,
          openFiles: Object.entries(files).map(([fd, target]) => ({ fd: Number(fd), target, deleted: false })),
          cgroups: null,
          pidNamespace: null,
          ioBytes: 0,
          ports: [],
          sockets: 0,
          blockedReading,
          locks: [],
        },
      ]),
    ),
  };
};
