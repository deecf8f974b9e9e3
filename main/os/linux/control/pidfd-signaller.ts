import { constants } from 'node:os';
import { asPid, type ProcessIdentity } from '../../../../app/process/identity.ts';
import type { SignalName } from '../../../../app/process/signal.ts';
import { RecheckHandle } from '../../processes/recheck-signaller.ts';
import {
  type IdentityReader,
  type ProcessHandle,
  type SignalResult,
  type Signaller,
  isStill,
  isUntouchable,
  refusingHandle,
} from '../../processes/signaller.ts';
import type { KernelRefusal, Pidfds } from './pidfd.ts';

const numberOf = (signal: SignalName): number => constants.signals[`SIG${signal}`];

const resultOf = (refusal: KernelRefusal | null): SignalResult => {
  if (refusal === null) return 'sent';
  return refusal.errno === constants.errno.ESRCH ? 'gone' : 'refused';
};

/** A handle through a pidfd: it means this one process for ever, also when its pid is reused. */
class PidfdHandle implements ProcessHandle {
  readonly identity: ProcessIdentity;
  readonly kind = 'pidfd';
  readonly #pidfds: Pidfds;
  readonly #mayLead: () => boolean;
  #pidfd: number | null;

  constructor(identity: ProcessIdentity, pidfds: Pidfds, pidfd: number, mayLead: () => boolean) {
    this.identity = identity;
    this.#pidfds = pidfds;
    this.#pidfd = pidfd;
    this.#mayLead = mayLead;
  }

  alive(): boolean {
    return this.#pidfd !== null && !this.#pidfds.hasEnded(this.#pidfd);
  }

  send(signal: SignalName): SignalResult {
    // The kernel accepts a signal to a zombie, which has no effect.
    if (this.#pidfd === null || !this.alive()) return 'gone';
    return resultOf(this.#pidfds.send(this.#pidfd, numberOf(signal)));
  }

  sendToGroup(signal: SignalName): SignalResult | 'unsupported' {
    if (this.#pidfd === null) return 'gone';
    if (!this.#pidfds.groups) return 'unsupported';
    if (!this.#mayLead()) return 'refused';
    return resultOf(this.#pidfds.sendToGroup(this.#pidfd, numberOf(signal)));
  }

  groupIsEmpty(): boolean | null {
    if (this.#pidfd === null || !this.#pidfds.groups) return null;
    const refusal = this.#pidfds.sendToGroup(this.#pidfd, 0);
    if (refusal === null || refusal.errno === constants.errno.EPERM) return false;
    return refusal.errno === constants.errno.ESRCH ? true : null;
  }

  close(): void {
    const pidfd = this.#pidfd;
    this.#pidfd = null;
    if (pidfd !== null) this.#pidfds.close(pidfd);
  }
}

/**
 * Signals through pidfds, which can't hit a recycled pid. The pidfd is opened first and the
 * identity read after it: if the process that now has the pid is the expected one, it was so when
 * the pidfd was opened, since it started before. Group signals reach all members at that moment;
 * the group's id is the process's own and can't be reused while the pidfd is held.
 */
export class PidfdSignaller implements Signaller {
  readonly mechanism: string;
  readonly #pidfds: Pidfds;
  readonly #reader: IdentityReader;

  constructor(pidfds: Pidfds, reader: IdentityReader) {
    this.mechanism = pidfds.groups ? 'pidfd with process groups' : 'pidfd';
    this.#pidfds = pidfds;
    this.#reader = reader;
  }

  open(identity: ProcessIdentity): ProcessHandle | null {
    if (isUntouchable(identity.pid)) return refusingHandle(identity);
    const pidfd = this.#pidfds.open(identity.pid);
    if (typeof pidfd !== 'number') return this.#openWithout(identity, pidfd);
    let held = false;
    try {
      held = isStill(this.#reader, identity);
    } finally {
      if (!held) this.#pidfds.close(pidfd);
    }
    return held ? new PidfdHandle(identity, this.#pidfds, pidfd, () => this.#isNotOurGroup(identity)) : null;
  }

  /**
   * ESRCH: no process has this pid. EINVAL: a thread has it, or a process that is just being
   * removed (https://github.com/systemd/systemd/pull/36982). Any other error, such as no free
   * descriptor, says nothing about the process.
   */
  #openWithout(identity: ProcessIdentity, { errno }: KernelRefusal): ProcessHandle | null {
    if (errno === constants.errno.ESRCH || errno === constants.errno.EINVAL) return null;
    return isStill(this.#reader, identity) ? new RecheckHandle(identity, this.#reader) : null;
  }

  /** A signal to our own group would hit this process. An unknown group counts as our own. */
  #isNotOurGroup(identity: ProcessIdentity): boolean {
    const own = this.#reader.read(asPid(process.pid));
    return own !== null && Number(own.pgid) !== Number(identity.pid);
  }
}
