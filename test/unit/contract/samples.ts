import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { moment } from '../../../app/format/moment.ts';
import type { SnapshotJob } from '../../../app/contract/views/snapshot.ts';
import type { Incident } from '../../../app/history/incident.ts';
import { asJobId, type Job } from '../../../app/model/job.ts';
import { asBootId, asGroupId, asKernelSessionId, asPid } from '../../../app/process/identity.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import type { ProcessTable } from '../../../app/process/table.ts';
import { safe } from '../safe-text.ts';

/** Wall clock of the samples' look: 2026-11-21T02:00:00Z. */
export const lookMs = Date.UTC(2026, 10, 21, 2);

const row = (pid: number, ppid: number, startTicks: number, argv: readonly string[]): ProcessRow => ({
  pid: asPid(pid),
  ppid: asPid(ppid),
  pgid: asGroupId(39),
  sid: asKernelSessionId(39),
  tty: 0,
  state: 'S',
  startTicks,
  cpuMs: 120,
  rssBytes: 4096,
  uid: 1000,
  comm: argv[0] ?? 'bash',
  argv,
  kernelThread: false,
});

const root = row(39, 1, 100_000, ['/bin/bash', '-c', 'npm run dev | tee log']);
const child = row(40, 39, 100_500, ['node', 'server.js', '--token=hunter2']);

/** A look 1,234 seconds after the sample job began. */
export const table: ProcessTable = {
  bootId: asBootId('boot'),
  takenAtMs: lookMs,
  nowTicks: 223_400,
  ticksPerSecond: 100,
  uid: 1000,
  rows: new Map([
    [root.pid, root],
    [child.pid, child],
  ]),
  complete: true,
};

/** A dev server whose session has ended. */
export const job: Job = {
  id: asJobId('1a2b3c'),
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm run dev | tee log'),
  project: '/home/me/shop',
  session: asAgentSessionId('43c8e917'),
  task: 'b83bdcc',
  output: '/tmp/claude-1000/-home-me-shop/43c8e917/tasks/b83bdcc.output',
  root,
  members: [
    { row: root, by: ['group', 'env'] },
    { row: child, by: ['group', 'tree'] },
  ],
  facts: new Map(),
  provenance: [
    { code: 'wrapper', rule: 'claude-shell' },
    { code: 'ledger', firstSeenMs: lookMs - 1_200_000 },
  ],
  proof: { kind: 'look', agent: 'claude-code', process: { pid: 4711, startTicks: 100 }, atMs: lookMs - 1_200_000 },
  owner: { state: 'gone', sinceMs: lookMs - 720_000, evidence: 'its process 4711 has ended' },
  ageSeconds: 1234,
  startedAtMs: lookMs - 1_234_000,
  silentSeconds: 1200,
  kind: 'service',
  holds: { rssBytes: 8192, cpuPercent: 0, fds: 12, ports: [3000], locks: [], sockets: 2, outputBytes: 77 },
  diagnoses: [{ code: 'waiting-on-stdin', figures: { seconds: 1200 } }],
  keptUntilMs: null,
  noticedAtMs: lookMs - 60_000,
  goneSeconds: null,
  announcedSeconds: null,
};

/** A record of the sample job's end. */
export const incident: Incident = {
  id: 'incident-1',
  atMs: lookMs,
  host: 'local',
  bootId: 'boot',
  writer: { pid: 9, startTicks: 90_000 },
  job: '1a2b3c',
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm run dev | tee log'),
  project: safe('/home/me/shop'),
  session: '43c8e917',
  task: null,
  output: null,
  ageSeconds: 1234,
  owner: 'gone',
  ownerEvidence: safe('its process 4711 has ended'),
  decidedBy: 'rule',
  verdict: 'orphaned',
  reasons: [{ code: 'owner-gone', figures: { seconds: 720 } }],
  evidence: [safe('its command line is a tool shell of Claude Code')],
  processes: [{ pid: 39, ppid: 1, startTicks: 100_000, args: safe('bash'), rssBytes: 4096 }],
  firstSignal: 'TERM',
  graceSeconds: 10,
  events: [
    {
      kind: 'signal',
      signal: { atMs: lookMs + 5, signal: 'TERM', target: 'group 39', pids: [39, 40], result: 'sent', note: null },
    },
    { kind: 'veto', atMs: lookMs + 6, vetoes: [{ code: 'editor', pid: 40, figures: {} }] },
    { kind: 'died', atMs: lookMs + 80, pids: [39] },
    { kind: 'note', atMs: lookMs + 90, text: safe('the output file was gone') },
    {
      kind: 'ended',
      atMs: lookMs + 180,
      outcome: 'reaped',
      survivors: [],
      freed: { processes: 2, rssBytes: 8192, cameAndWent: 0, ports: [3000], locks: [] },
      outputTail: safe('ready'),
    },
  ],
  signals: [{ atMs: lookMs + 5, signal: 'TERM', target: 'group 39', pids: [39, 40], result: 'sent', note: null }],
  outcome: 'reaped',
  survivors: [],
  freed: { processes: 2, rssBytes: 8192, cameAndWent: 0, ports: [3000], locks: [] },
  outputTail: safe('ready'),
  tookMs: 180,
};

/** A job as windows have it, with the id and figures that a test wants. */
export const snapshotJob = (id: string, fields: Partial<SnapshotJob> = {}): SnapshotJob => ({
  id,
  host: 'local',
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm test'),
  project: null,
  session: null,
  task: null,
  output: null,
  root: { pid: 39, startedAt: moment(lookMs), ppid: 1, pgid: 39, sid: 39, args: safe('bash') },
  members: [],
  owner: 'unknown',
  ownerEvidence: safe(''),
  proof: 'look',
  silentSince: null,
  goneSince: null,
  kind: 'task',
  diagnoses: [],
  diagnosed: [],
  holds: { rssBytes: 1, cpuPercent: 0, fds: 0, ports: [], locks: [], sockets: 0, outputBytes: null },
  verdict: { state: 'within', action: 'none', at: null, endsAt: null, reasons: [] },
  vetoes: [],
  startedAt: moment(lookMs),
  keptUntil: null,
  noticedAt: null,
  evidence: [],
  ...fields,
});
