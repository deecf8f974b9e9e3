import type { StaleCandidate, StaleKind, SweepDecision, SweepReason, SweepWorld } from './stale-file.ts';

const twoDaysMs = 2 * 86_400_000;

/** What is younger may be used again, milliseconds. A socket that nobody has bound never is: it would have to be made anew. */
const minAgeMs: Readonly<Record<StaleKind, number>> = {
  'shell-snapshot': twoDaysMs,
  socket: 0,
  'session-file': 0,
  'lock-file': 0,
};

/**
 * An agent makes its files after it began. Times of files and of starts agree to a second or two where no clock was set; without its
 * snapshot a session can run nothing, so there more is allowed for. Milliseconds.
 */
const slackMs = (kind: StaleKind): number => (kind === 'shell-snapshot' ? 600_000 : 5000);

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
 * What becomes of a file of a known form. Pure and total. Deleted is only what may be, is what its name says, is the user's alone, is old
 * enough, is used by nobody and whose owner is dead for certain; everything that isn't known speaks for keeping.
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
