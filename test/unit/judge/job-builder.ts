import { asJobId, type Job } from '../../../app/model/job.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import { asGroupId, asKernelSessionId, asPid, type Pid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { safe } from '../safe-text.ts';

/** The look at which the judge is asked in these tests. */
export const nowMs = Date.UTC(2026, 10, 21, 2);

/** A process of uid 1000 without a terminal, its own group and kernel session, started by argv. */
export const rowOf = (pid: number, argv: readonly string[], more: Partial<ProcessRow> = {}): ProcessRow => ({
  pid: asPid(pid),
  ppid: asPid(1),
  pgid: asGroupId(pid),
  sid: asKernelSessionId(pid),
  tty: 0,
  state: 'S',
  startTicks: 1000 + pid,
  cpuMs: 0,
  rssBytes: 0,
  uid: 1000,
  // As the kernel makes it: the last part of the path that was executed, cut to 15 bytes.
  comm: (argv[0] ?? '').slice((argv[0] ?? '').lastIndexOf('/') + 1).slice(0, 15),
  argv,
  kernelThread: false,
  ...more,
});

/** Facts of a process of which everything was readable and nothing was remarkable. */
export const factsOf = (more: Partial<MemberFacts> = {}): MemberFacts => ({
  environment: {},
  cwd: '/home/me/shop',
  cwdDeleted: false,
  executable: null,
  openFiles: [],
  cgroups: { '': '/user.slice/user-1000.slice/session-3.scope' },
  pidNamespace: '4026531836',
  ioBytes: 0,
  ports: [],
  sockets: 0,
  blockedReading: null,
  locks: [],
  ...more,
});

/**
 * A job of one silent tool shell of a living session, `ageSeconds` old, with nothing held and
 * nothing wrong.
 */
export const jobOf = (ageSeconds: number, more: Partial<Job> = {}): Job => {
  const root = more.root ?? rowOf(39, ['/bin/bash', '-c', 'sleep 3600']);
  return {
    id: asJobId('1a2b3c'),
    agent: 'claude-code',
    rule: 'claude-shell',
    command: safe('sleep 3600'),
    project: '/home/me/shop',
    session: null,
    task: null,
    output: null,
    root,
    members: [{ row: root, by: ['group'] }],
    facts: new Map([[root.pid, factsOf()]]),
    provenance: [{ code: 'wrapper', rule: 'claude-shell' }],
    proof: {
      kind: 'look',
      agent: 'claude-code',
      process: { pid: 30, startTicks: 3000 },
      atMs: nowMs - ageSeconds * 1000,
    },
    owner: { state: 'live', process: null, evidence: 'its process runs' },
    ageSeconds,
    startedAtMs: nowMs - ageSeconds * 1000,
    silentSeconds: ageSeconds,
    kind: 'task',
    holds: { rssBytes: 0, cpuPercent: 0, fds: 3, ports: [], locks: [], sockets: 0, outputBytes: 0 },
    diagnoses: [],
    keptUntilMs: null,
    noticedAtMs: null,
    goneSeconds: null,
    announcedSeconds: null,
    ...more,
  };
};

/** The rows of a table by pid. */
export const tableOf = (...rows: readonly ProcessRow[]): ReadonlyMap<Pid, ProcessRow> =>
  new Map(rows.map((row) => [row.pid, row]));
