import { constants } from 'node:os';
import type { ProcessIdentity } from '../../../../app/process/identity.ts';
import type { SignalName } from '../../../../app/process/signal.ts';
import { codeOf } from '../../../../app/format/error-message.ts';
import {
  type IdentityReader,
  type ProcessHandle,
  type SignalResult,
  type Signaller,
  isStill,
  isUntouchable,
  refusingHandle,
} from '../../processes/signaller.ts';
import { auditTokenOf, readUniqueIds, type UniqueIds } from '../kernel/identity.ts';
import { darwinErrno, type DarwinKernel } from '../kernel/kernel.ts';

/** Sends a signal by pid and returns the errno; for systems without signals by audit token. */
export type SendByPid = (pid: number, signal: number) => number;

const sendByPid: SendByPid = (pid, signal) => {
  try {
    process.kill(pid, signal);
    return 0;
  } catch (error) {
    return codeOf(error) === 'ESRCH' ? darwinErrno.ESRCH : darwinErrno.EPERM;
  }
};

/** A handle on a unique id, which no other process gets in this boot. */
class UniqueIdHandle implements ProcessHandle {
  readonly identity: ProcessIdentity;
  readonly kind: 'audit-token' | 'recheck';
  readonly #kernel: DarwinKernel;
  readonly #uniqueId: number;
  readonly #byPid: SendByPid;
  #open = true;

  constructor(identity: ProcessIdentity, kernel: DarwinKernel, uniqueId: number, byPid: SendByPid) {
    this.identity = identity;
    this.kind = kernel.signalByToken === null ? 'recheck' : 'audit-token';
    this.#kernel = kernel;
    this.#uniqueId = uniqueId;
    this.#byPid = byPid;
  }

  /** An answer that can't be understood is no death. */
  alive(): boolean {
    return this.#open && this.#now() !== 'gone';
  }

  send(signal: SignalName): SignalResult {
    if (!this.#open) return 'gone';
    const ids = this.#now();
    if (ids === 'gone') return 'gone';
    if (ids === 'unknown') return 'refused';
    const { pid } = this.identity;
    const number = constants.signals[`SIG${signal}`];
    const { signalByToken } = this.#kernel;
    // Without a token nothing may stand between the check above and this line.
    const errno =
      signalByToken === null ? this.#byPid(pid, number) : signalByToken(auditTokenOf(pid, ids.version), number);
    if (errno === 0) return 'sent';
    // ESRCH also says that it called exec since: then it lives, and is judged anew.
    return errno === darwinErrno.ESRCH && this.#now() === 'gone' ? 'gone' : 'refused';
  }

  /** A group outlives its leader, and its number can then be reused: nothing pins it here. */
  sendToGroup(): 'unsupported' {
    return 'unsupported';
  }

  close(): void {
    this.#open = false;
  }

  #now(): UniqueIds | 'gone' | 'unknown' {
    try {
      const ids = readUniqueIds(this.#kernel, this.identity.pid);
      return ids === null || ids.uniqueId !== this.#uniqueId ? 'gone' : ids;
    } catch {
      return 'unknown';
    }
  }
}

/**
 * Signals by audit token where the system has that (macOS 14.2): the kernel itself compares the
 * process and its version, so no recycled pid can be hit, nor a program that took its place. On
 * older systems the unique id is read and the signal sent at once.
 */
export class UniqueIdSignaller implements Signaller {
  readonly mechanism: string;
  readonly #kernel: DarwinKernel;
  readonly #reader: IdentityReader;
  readonly #byPid: SendByPid;

  constructor(kernel: DarwinKernel, reader: IdentityReader, byPid: SendByPid = sendByPid) {
    this.mechanism = kernel.signalByToken === null ? 'recheck of unique ids' : 'audit token';
    this.#kernel = kernel;
    this.#reader = reader;
    this.#byPid = byPid;
  }

  open(identity: ProcessIdentity): ProcessHandle | null {
    if (isUntouchable(identity.pid)) return refusingHandle(identity);
    const before = readUniqueIds(this.#kernel, identity.pid);
    if (before === null || !isStill(this.#reader, identity)) return null;
    const after = readUniqueIds(this.#kernel, identity.pid);
    if (after === null || after.uniqueId !== before.uniqueId) return null;
    return new UniqueIdHandle(identity, this.#kernel, after.uniqueId, this.#byPid);
  }

  refusesWrongVersion({ pid }: ProcessIdentity): boolean {
    const { signalByToken } = this.#kernel;
    const ids = readUniqueIds(this.#kernel, pid);
    if (signalByToken === null || ids === null) return true;
    return signalByToken(auditTokenOf(pid, ids.version + 1), constants.signals.SIGCONT) !== 0;
  }
}
