import type { Settings } from '../../app/settings/settings.ts';
import type { Look } from '../observing/look.ts';

/**
 * Returns whether a look saw nothing to watch: no job, no agent, no session that may live, and no
 * rule or machine in the settings, which only a running supervisor can find something by.
 * @param hosts the machines that are watched
 */
export const sawNothing = (
  { jobs, agents = [], sessions }: Pick<Look, 'jobs' | 'agents' | 'sessions'>,
  { rules, hosts }: Pick<Settings, 'rules' | 'hosts'>,
): boolean =>
  jobs.size === 0 &&
  agents.length === 0 &&
  rules.length === 0 &&
  hosts.length === 0 &&
  sessions.every(({ state, process }) => state === 'gone' || process === null);

/** Tells when nothing was there to watch for a while. */
export class RestWatch {
  readonly #afterMs: number;
  #sinceMs: number | null = null;

  /** @param afterSeconds how long nothing must have been seen */
  constructor(afterSeconds: number) {
    this.#afterMs = afterSeconds * 1000;
  }

  /**
   * Takes what a look saw, and returns whether it is time to rest.
   * @param nowMs of a steady clock
   */
  look(nothing: boolean, nowMs: number): boolean {
    if (!nothing) {
      this.#sinceMs = null;
      return false;
    }
    this.#sinceMs ??= nowMs;
    return nowMs - this.#sinceMs >= this.#afterMs;
  }
}
