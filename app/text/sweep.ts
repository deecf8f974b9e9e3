import type { StaleCandidate, StaleKind, SweepDecision, SweepReason } from '../sweep/stale-file.ts';
import { formatAge } from '../format/age.ts';

/** What people call these files. */
export const staleKindNames: Readonly<Record<StaleKind, string>> = {
  'shell-snapshot': 'shell snapshot',
  socket: 'socket',
  'session-file': 'session file',
  'lock-file': 'lock file',
};

const staying: Readonly<Record<Exclude<SweepReason, 'stale' | 'owner-dead'>, string>> = {
  young: 'it is too young',
  'in-use': 'a process uses it',
  'owner-lives': 'its owner is running',
  'session-may-live': 'an open session may have made it',
  elsewhere: 'it may belong to another machine or container',
  'not-all-seen': 'some processes that may use it can’t be seen',
  'another-user': 'it belongs to another user',
  'not-that-type': 'it is not what its name says',
  'several-names': 'the file has another name too',
};

const gone: Readonly<Record<StaleKind, string>> = {
  'shell-snapshot': 'no running shell uses it and no open session can have made it',
  socket: 'no process listens on it and its owner has ended',
  'session-file': 'the process of that session has ended',
  'lock-file': 'its holder has ended',
};

const ofOwner = ({ owner }: StaleCandidate): string => (owner.kind === 'process' ? ` (process ${owner.pid})` : '');

/** Why a file goes, is told of, or stays: one sentence without its full stop. */
export const saySweepReason = ({ candidate, reason }: SweepDecision, nowMs: number): string => {
  if (reason !== 'stale' && reason !== 'owner-dead') return `${staying[reason]}${ofOwner(candidate)}`;
  const age = formatAge((nowMs - candidate.file.changedMs) / 1000);
  return `${gone[candidate.kind]}${ofOwner(candidate)}; unchanged for ${age}`;
};
