import type { FoundFile, StaleCandidate, SweepWorld } from '../../../app/sweep/stale-file.ts';

/** The time of every scan in these tests, milliseconds. */
export const nowMs = 1_795_300_000_000;
const day = 86_400_000;

/** A machine without processes. */
export const emptyWorld: SweepWorld = {
  nowMs,
  complete: true,
  agentsSinceMs: [],
  usedElsewhere: false,
  pids: new Set([1]),
  namesInUse: new Set(),
  partsInUse: new Set(),
  boundSockets: new Set(),
};

/** A file of the user, three days old. */
const file = (path: string, more: Partial<FoundFile> = {}): FoundFile => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  type: path.endsWith('.sock') ? 'socket' : 'file',
  ownedByUser: true,
  names: 1,
  bytes: 100,
  changedMs: nowMs - 3 * day,
  ...more,
});

/** A shell snapshot, three days old. */
export const snapshot = (more: Partial<FoundFile> = {}): StaleCandidate => ({
  kind: 'shell-snapshot',
  file: file('/home/me/.claude/shell-snapshots/snapshot-bash-1795000000000-abc123.sh', more),
  owner: { kind: 'some-session', notBeforeMs: nowMs - 3 * day },
  mayDelete: true,
});

/** The socket of a session's messages, three days old. */
export const messages = (pid: number, more: Partial<FoundFile> = {}): StaleCandidate => ({
  kind: 'socket',
  file: file(`/tmp/cc-socks/${pid}.sock`, more),
  owner: { kind: 'process', pid },
  mayDelete: true,
});
