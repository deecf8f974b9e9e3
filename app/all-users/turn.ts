export type ChildEnd =
  /** Nothing of an agent was there. */
  | 'rested'
  /** Another Curfew supervises for this user. */
  | 'stood-back'
  /** The home folder is missing, or not the user's alone. */
  | 'no-home'
  | 'failed';

/** What the operator's table shows of a user now. */
export interface SeenUser {
  /** It runs at least one process that is none of Curfew's children. */
  readonly hasProcesses: boolean;
  /** Its agents and their tool shells, by a name that no later process gets. */
  readonly agents: ReadonlySet<string>;
}

/** Where the supervision of one user stands. Moments are milliseconds of a steady clock. */
export type Turn =
  /** Never seen, or seen without a process since. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'running'; readonly sinceMs: number; readonly failures: number }
  /** Nothing was there to watch; `agents` were there all the same. */
  | { readonly kind: 'resting'; readonly sinceMs: number; readonly agents: ReadonlySet<string> }
  /** Not before a moment. */
  | { readonly kind: 'waiting'; readonly untilMs: number; readonly failures: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * A user who rests is looked at again after this time: an agent may have come and gone between two
 * looks of the operator's table, or have a name that only the user's own rules know.
 */
const lookAgainMs = hourMs;

/** A try costs 0.7 s of processor time, every 5 min 0.2 % of a core. */
const standBackMs = 5 * minuteMs;
const noHomeMs = 15 * minuteMs;

/** The first wait after a failure, doubled by each further one. */
const firstFailureMs = 10_000;

/** A child that ran this long had started well, so that its failure is the first one. */
const stableMs = 10 * minuteMs;

const failureWaitMs = (failures: number): number => Math.min(hourMs, firstFailureMs * 2 ** Math.min(failures - 1, 20));

/** Returns the turn of a user whose child has ended. */
export const afterEnd = (before: Turn, end: ChildEnd, agents: ReadonlySet<string>, nowMs: number): Turn => {
  switch (end) {
    case 'rested':
      return { kind: 'resting', sinceMs: nowMs, agents };
    case 'stood-back':
      return { kind: 'waiting', untilMs: nowMs + standBackMs, failures: 0 };
    case 'no-home':
      return { kind: 'waiting', untilMs: nowMs + noHomeMs, failures: 0 };
    case 'failed': {
      const earlier = before.kind === 'running' && nowMs - before.sinceMs < stableMs ? before.failures : 0;
      const failures = earlier + 1;
      return { kind: 'waiting', untilMs: nowMs + failureWaitMs(failures), failures };
    }
  }
};

/**
 * Returns the turn of a user who has no process now: the next one that it starts is looked at anew.
 * A wait after a failure stays, or logging out and in would shorten it.
 */
export const withoutProcesses = (turn: Turn): Turn => (turn.kind === 'resting' ? { kind: 'absent' } : turn);

/** Returns whether a child is to be started for a user now. */
export const isDue = (turn: Turn, { hasProcesses, agents }: SeenUser, nowMs: number): boolean => {
  if (!hasProcesses) return false;
  switch (turn.kind) {
    case 'absent':
      return true;
    case 'running':
      return false;
    case 'waiting':
      return nowMs >= turn.untilMs;
    case 'resting':
      return nowMs - turn.sinceMs >= lookAgainMs || [...agents].some((agent) => !turn.agents.has(agent));
  }
};

/**
 * Returns who is started now, of those that are due: users with agents first, then those who have
 * waited longest.
 * @param room how many may be started
 */
export const startOrder = (
  due: readonly { readonly uid: number; readonly hasAgents: boolean; readonly sinceMs: number }[],
  room: number,
): readonly number[] =>
  due
    .toSorted((one, other) => Number(other.hasAgents) - Number(one.hasAgents) || one.sinceMs - other.sinceMs)
    .slice(0, Math.max(0, room))
    .map(({ uid }) => uid);
