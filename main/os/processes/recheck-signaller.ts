import { codeOf } from '../../../app/format/error-message.ts';
import type { ProcessIdentity } from '../../../app/process/identity.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import {
  type IdentityReader,
  type ProcessHandle,
  type SignalResult,
  type Signaller,
  isStill,
  isUntouchable,
  refusingHandle,
} from './signaller.ts';

/** A handle by memory only: the pid's start time is read again before each signal. */
export class RecheckHandle implements ProcessHandle {
  readonly identity: ProcessIdentity;
  readonly kind = 'recheck';
  readonly #reader: IdentityReader;
  #open = true;

  constructor(identity: ProcessIdentity, reader: IdentityReader) {
    this.identity = identity;
    this.#reader = reader;
  }

  alive(): boolean {
    return this.#open && isStill(this.#reader, this.identity);
  }

  send(signal: SignalName): SignalResult {
    if (!this.alive()) return 'gone';
    try {
      // Nothing may stand between the check and this line: the remaining gap is two system calls.
      process.kill(this.identity.pid, `SIG${signal}`);
      return 'sent';
    } catch (error) {
      if (codeOf(error) === 'ESRCH') return 'gone';
      if (codeOf(error) === 'EPERM') return 'refused';
      throw error;
    }
  }

  /** A group outlives its leader, and its number can then be reused: nothing pins it here. */
  sendToGroup(): 'unsupported' {
    return 'unsupported';
  }

  close(): void {
    this.#open = false;
  }
}

/**
 * Signals where there are no pidfds: the identity is read again right before each signal. In theory
 * a pid could be recycled in between, if the process ended and the kernel allocated every other pid
 * within those microseconds.
 */
export class RecheckSignaller implements Signaller {
  readonly mechanism = 'recheck';
  readonly #reader: IdentityReader;

  constructor(reader: IdentityReader) {
    this.#reader = reader;
  }

  open(identity: ProcessIdentity): ProcessHandle | null {
    if (isUntouchable(identity.pid)) return refusingHandle(identity);
    const handle = new RecheckHandle(identity, this.#reader);
    return handle.alive() ? handle : null;
  }
}
