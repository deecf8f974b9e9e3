import type { StaleCandidate, StaleKind, SweepDecision, SweepReason, SweepWorld } from './stale-file.ts';

const twoDaysMs = 2 * 86_400_000;
const minutesMs = 60_000;

/** What is younger may be on its way to being used, milliseconds. */
const leastAgeMs: Readonly<Record<StaleKind, number>> = {
  'shell-snapshot': twoDaysMs,
  socket: 10 * minutesMs,
  'session-file': 10 * minutesMs,
  'lock-file': 10 * minutesMs,
};

/** An agent makes its files after it began; clocks and start times agree to the second, and were set by less than that. Milliseconds. */
const slackMs = 10 * minutesMs;

const typeOf = (kind: StaleKind): 'file' | 'socket' => (kind === 'socket' ? 'socket' : 'file');

/** When it was made or used last, by whatever is later. */
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
      // Whoever has the number now may be another process; that is no matter.
      return world.pids.has(owner.pid) ? 'owner-lives' : null;
    case 'some-session':
      if (world.usedElsewhere) return 'elsewhere';
      return world.agentsSinceMs.some((sinceMs) => sinceMs <= usedMs(candidate) + slackMs) ? 'session-may-live' : null;
  }
};

const inUse = ({ kind, file }: StaleCandidate, world: SweepWorld): SweepReason | null => {
  const used =
    kind === 'socket' ? world.boundSockets : kind === 'shell-snapshot' ? world.namesInUse : new Set<string>();
  if (used === null) return 'not-all-seen';
  return used.has(file.name) ? 'in-use' : null;
};

/**
 * What becomes of a file of a known form. Pure and total. Deleted is only what may be, is what its name says, is the user's alone, is old
 * enough, is used by nobody and whose owner is dead for certain; everything that isn't known speaks for keeping.
 */
export const decideFile = (candidate: StaleCandidate, world: SweepWorld): SweepDecision => {
  const ageMs = world.nowMs - usedMs(candidate);
  const reason =
    oddity(candidate) ??
    (ageMs < leastAgeMs[candidate.kind] ? 'young' : null) ??
    (world.complete ? null : 'not-all-seen') ??
    inUse(candidate, world) ??
    ownerReason(candidate, world);
  if (reason !== null) return { candidate, action: 'keep', reason };
  const dead = candidate.kind === 'shell-snapshot' ? 'stale' : 'owner-dead';
  return { candidate, action: candidate.mayDelete ? 'delete' : 'report', reason: dead };
};
