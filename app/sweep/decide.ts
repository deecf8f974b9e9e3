import type {
  FileType,
  OwningSession,
  StaleCandidate,
  StaleKind,
  SweepDecision,
  SweepReason,
  SweepWorld,
  TranscriptState,
} from './stale-file.ts';

const dayMs = 86_400_000;

interface KindRule {
  readonly type: FileType;
  /**
   * Minimum age in milliseconds; younger files may be used again. A socket that no process has
   * bound can't be reused: it would have to be created anew.
   */
  readonly minAgeMs: number;
  /**
   * Slack between the times of a file and of its owner's start, milliseconds. They agree within two
   * seconds unless a clock was set; a session can't run anything without its snapshot, so that gets
   * more.
   */
  readonly slackMs: number;
  readonly use: 'named' | 'bound' | 'held' | 'none';
  /** The reason for its deletion. */
  readonly dead: 'stale' | 'owner-dead';
}

const rules: Readonly<Record<StaleKind, KindRule>> = {
  'shell-snapshot': { type: 'file', minAgeMs: 2 * dayMs, slackMs: 600_000, use: 'named', dead: 'stale' },
  socket: { type: 'socket', minAgeMs: 0, slackMs: 5000, use: 'bound', dead: 'owner-dead' },
  'session-file': { type: 'file', minAgeMs: 0, slackMs: 5000, use: 'none', dead: 'owner-dead' },
  'lock-file': { type: 'file', minAgeMs: 0, slackMs: 5000, use: 'none', dead: 'owner-dead' },
  'task-output': { type: 'file', minAgeMs: 0, slackMs: 5000, use: 'held', dead: 'owner-dead' },
  library: { type: 'file', minAgeMs: dayMs, slackMs: 5000, use: 'held', dead: 'stale' },
  'scratch-file': { type: 'file', minAgeMs: 2 * dayMs, slackMs: 600_000, use: 'held', dead: 'stale' },
  'debug-log': { type: 'file', minAgeMs: dayMs, slackMs: 600_000, use: 'held', dead: 'stale' },
};

/** When it was created or last used, whichever is later. */
const usedMs = ({ file, owner }: StaleCandidate): number =>
  Math.max(file.changedMs, owner.kind === 'some-session' ? owner.notBeforeMs : 0);

const oddity = ({ kind, file }: StaleCandidate): SweepReason | null => {
  if (file.type !== rules[kind].type) return 'not-that-type';
  if (!file.ownedByUser) return 'another-user';
  return file.names === 1 ? null : 'several-names';
};

/** A session that may be resumed reads the outputs again whose paths its transcript names. */
const sessionReason = (state: OwningSession, transcript: TranscriptState): SweepReason | null => {
  if (state === 'live') return 'owner-lives';
  if (state === 'unknown') return 'session-may-live';
  return transcript === 'gone' || transcript === 'old' ? null : 'resumable';
};

const ownerReason = (candidate: StaleCandidate, world: SweepWorld): SweepReason | null => {
  const { owner } = candidate;
  switch (owner.kind) {
    case 'holder':
      return owner.state === 'dead' ? null : owner.state === 'alive' ? 'owner-lives' : 'elsewhere';
    case 'process':
      // The number may belong to another process now; that is harmless.
      return world.pids.has(owner.pid) ? 'owner-lives' : null;
    case 'kept':
    case 'some-session':
      if (owner.kind === 'kept' && !(world.nowMs >= owner.untilMs)) return 'retained';
      if (world.usedElsewhere) return 'elsewhere';
      return world.agentsSinceMs.some((sinceMs) => sinceMs <= usedMs(candidate) + rules[candidate.kind].slackMs)
        ? 'session-may-live'
        : null;
    case 'session':
      return sessionReason(owner.state, owner.transcript);
    case 'holders':
      return null;
  }
};

const isIn = (names: ReadonlySet<string> | null | undefined, asked: readonly string[]): SweepReason | null =>
  names == null ? 'not-all-seen' : asked.some((name) => names.has(name)) ? 'in-use' : null;

const inUse = ({ kind, file, heldAs }: StaleCandidate, world: SweepWorld): SweepReason | null => {
  switch (rules[kind].use) {
    case 'named':
      return isIn(world.namesInUse, [file.name]);
    case 'bound':
      return isIn(world.boundSockets, [file.name]);
    case 'held':
      return isIn(world.partsInUse, heldAs ?? [file.name]);
    case 'none':
      return null;
  }
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
    (ageMs < rules[candidate.kind].minAgeMs ? 'young' : null) ??
    (world.complete ? null : 'not-all-seen') ??
    inUse(candidate, world) ??
    ownerReason(candidate, world);
  if (reason !== null) return { candidate, action: reason === 'resumable' ? 'report' : 'keep', reason };
  return { candidate, action: candidate.mayDelete ? 'delete' : 'report', reason: rules[candidate.kind].dead };
};
