import type { StaleCandidate, StaleKind, SweepDecision, SweepReason, SweepWorld } from './stale-file.ts';

const twoDaysMs = 2 * 86_400_000;

/**
 * Minimum age in milliseconds; younger files may be used again. A socket that no process has bound
 * can't be reused: it would have to be created anew.
 */
const minAgeMs: Readonly<Record<StaleKind, number>> = {
  'shell-snapshot': twoDaysMs,
  socket: 0,
  'session-file': 0,
  'lock-file': 0,
};

/**
 * Slack between the times of a file and of its owner's start, milliseconds. They agree within two
 * seconds unless a clock was set; a session can't run anything without its snapshot, so that gets
 * more.
 */
const slackMs = (kind: StaleKind): number => (kind === 'shell-snapshot' ? 600_000 : 5000);

const typeOf = (kind: StaleKind): 'file' | 'socket' => (kind === 'socket' ? 'socket' : 'file');

/** When it was created or last used, whichever is later. */
const usedMs = ({ file, owner }: StaleCandidate): number =>
  Math.max(file.changedMs, owner.kind === 'some-session' ? owner.notBeforeMs : 0);

/** What is wrong with the file itself. */
const oddity = ({ kind, file }: StaleCandidate): SweepReason | null => {
  if (file.type !== typeOf(kind)) return 'not-that-type';
  if (!file.ownedByUser) return 'another-user';
  return file.names === 1 ? null : 'several-names';
};

const ownerReason = (candidate: StaleCandidate, world: SweepWorld): SweepReason | null => {
  const { owner } = candidate;
  switch (owner.kind) {
    case 'holder':
      return owner.state === 'dead' ? null : owner.state === 'alive' ? 'owner-lives' : 'elsewhere';
    case 'process':
      // The number may belong to another process now; that is harmless.
      return world.pids.has(owner.pid) ? 'owner-lives' : null;
    case 'some-session':
      if (world.usedElsewhere) return 'elsewhere';
      return world.agentsSinceMs.some((sinceMs) => sinceMs <= usedMs(candidate) + slackMs(candidate.kind))
        ? 'session-may-live'
        : null;
  }
};

const inUse = ({ kind, file }: StaleCandidate, world: SweepWorld): SweepReason | null => {
  const used =
    kind === 'socket' ? world.boundSockets : kind === 'shell-snapshot' ? world.namesInUse : new Set<string>();
  if (used === null) return 'not-all-seen';
  return used.has(file.name) ? 'in-use' : null;
};

/**
 * Decides on a file of a known form. Pure and total. Deletes only a file that may be deleted, is
 * what its name says, belongs to the user alone, is old enough, is unused and has a dead owner for
 * certain; anything unknown keeps it.
 */
export const decideFile = (candidate: StaleCandidate, world: SweepWorld): SweepDecision => {
  const ageMs = world.nowMs - usedMs(candidate);
  const reason =
    oddity(candidate) ??
    (ageMs < minAgeMs[candidate.kind] ? 'young' : null) ??
    (world.complete ? null : 'not-all-seen') ??
    inUse(candidate, world) ??
    ownerReason(candidate, world);
  if (reason !== null) return { candidate, action: 'keep', reason };
  const dead = candidate.kind === 'shell-snapshot' ? 'stale' : 'owner-dead';
  return { candidate, action: candidate.mayDelete ? 'delete' : 'report', reason: dead };
};
