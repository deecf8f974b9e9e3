import type { Pid } from './identity.ts';

/** When a process had begun that something names; in ticks. */
export interface BegunBy {
  readonly ticks: number;
  /** That process itself told it: by the clock of its time namespace, which may be another. */
  readonly byItself?: true;
}

/**
 * Returns a living process which has this pid in a pid namespace of its own, below the one of the
 * table; null for none. What began later is not what was named: pids come round quickly in there.
 */
export type NamedInside = (pid: Pid, begun?: BegunBy) => Pid | null;
