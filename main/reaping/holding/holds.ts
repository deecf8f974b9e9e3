import { type IdentityKey, type ProcessIdentity, identityKey } from '../../../app/process/identity.ts';
import type { ProcessHandle } from '../../os/processes/signaller.ts';

export type ProcessHold = Pick<ProcessHandle, 'identity' | 'alive' | 'close' | 'groupIsEmpty'>;

/** Takes hold of a process; null when it is gone. */
export interface HoldOpener<Hold extends ProcessHold> {
  open(identity: ProcessIdentity): Hold | null;
}

/**
 * The holds that a reaping took, on every process that it ever saw of its job. They stay until it
 * ends: as long as a process is held, no other gets its pid.
 */
export class Holds<Hold extends ProcessHold> {
  readonly #opener: HoldOpener<Hold>;
  readonly #taken = new Map<IdentityKey, Hold>();

  constructor(opener: HoldOpener<Hold>) {
    this.#opener = opener;
  }

  /** Takes hold of a process unless it is held; false when it has ended. */
  take(identity: ProcessIdentity): boolean {
    const key = identityKey(identity);
    const held = this.#taken.get(key);
    if (held !== undefined) return held.alive();
    const hold = this.#opener.open(identity);
    if (hold === null) return false;
    this.#taken.set(key, hold);
    return true;
  }

  /** Whether a process lives, by a hold that is released at once. */
  livesNow(identity: ProcessIdentity): boolean {
    const hold = this.#opener.open(identity);
    hold?.close();
    return hold !== null;
  }

  of(key: IdentityKey): Hold | undefined {
    return this.#taken.get(key);
  }

  /** All that were ever taken, with the processes that have ended. */
  all(): readonly Hold[] {
    return [...this.#taken.values()];
  }

  living(): readonly (readonly [IdentityKey, Hold])[] {
    return [...this.#taken].filter(([, hold]) => hold.alive());
  }

  isDead(key: IdentityKey): boolean {
    return this.#taken.get(key)?.alive() === false;
  }

  /** True for a number that no other process can get, because the one that has it is held. */
  pins(pid: number): boolean {
    return this.all().some(({ identity }) => Number(identity.pid) === pid);
  }

  close(): void {
    for (const hold of this.#taken.values()) hold.close();
  }
}
