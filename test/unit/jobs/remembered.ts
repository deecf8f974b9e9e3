import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import { asJobId } from '../../../app/model/job.ts';
import { asBootId } from '../../../app/process/identity.ts';
import { safe } from '../safe-text.ts';

/** What the ledger keeps of a job of Claude Code; a test says what it is about. */
export const remembered = (more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: asJobId('1a2b3c4d'),
  bootId: asBootId('boot:1'),
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm test'),
  project: null,
  session: null,
  task: null,
  output: null,
  root: { pid: 80, startTicks: 8000 },
  groups: [],
  kernelSessions: [],
  members: [],
  owner: null,
  ownerService: null,
  ownerGoneSinceMs: null,
  ownerGoneAtTicks: null,
  provenance: [],
  proof: { kind: 'look', agent: 'claude-code', process: { pid: 30, startTicks: 3000 }, atMs: 1000 },
  firstSeenMs: 1000,
  lastSeenMs: 2000,
  lastSeenTicks: 9000,
  activity: {
    cpuMs: 0,
    ioBytes: null,
    outputBytes: null,
    membership: '',
    changedAtTicks: 8000,
    observedAtTicks: 9000,
    quietLooks: 0,
  },
  watch: null,
  noticedAtMs: null,
  announcedAtTicks: null,
  ...more,
});
