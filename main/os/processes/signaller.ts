import type { ProcessIdentity } from '../../../app/process/identity.ts';
import { isSameLivingProcess } from '../../../app/process/row.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { ProcessSource } from './source.ts';

/** What became of one signal to one target. */
export type SignalResult = 'sent' | 'gone' | 'refused';

/**
 * A hold on one process. On Linux a pidfd: opened before the identity is confirmed, so that whatever the pid means later, the
 * signal goes to the process that was confirmed or to nobody. Elsewhere the identity is read again immediately before the signal.
 */
export interface ProcessHandle {
  readonly identity: ProcessIdentity;
  /** `pidfd`, or `recheck` where there is none: the identity is re-read at once before each signal. */
  readonly kind: 'pidfd' | 'recheck';
  /** True while the held process is the confirmed one and has not ended (a zombie has ended). */
  alive(): boolean;
  /** Sends to this process only. Never throws for a process that is gone or may not be signalled. */
  send(signal: SignalName): SignalResult;
  /**
   * Sends to the whole process group that this process leads. The caller has judged every member. `unsupported` where the kernel
   * can't do it without risking a recycled id: then the members are signalled one by one.
   */
  sendToGroup(signal: SignalName): SignalResult | 'unsupported';
  /**
   * Whether the kernel has nobody, not even a zombie, in the process group whose id is this process's pid, also after its death. Null or left out
   * where that can't be told.
   */
  groupIsEmpty?(): boolean | null;
  /** Releases the hold. Safe to call twice. */
  close(): void;
}

/** The only way in which Curfew sends signals. */
export interface Signaller {
  /** "pidfd with process groups", "pidfd", "recheck": for `doctor` and the journal. */
  readonly mechanism: string;
  /**
   * Takes hold of a process. null when it is gone or its pid now is another process (the identity is compared after the hold was taken).
   */
  open(identity: ProcessIdentity): ProcessHandle | null;
}

/** What identities are confirmed with. `read` reads a process now, past every cache; null when there is none. */
export type IdentityReader = Pick<ProcessSource, 'bootId' | 'read'>;

/** True when the process that has this pid now is that one and has not ended. */
export const isStill = (reader: IdentityReader, identity: ProcessIdentity): boolean => {
  if (identity.bootId !== reader.bootId) return false;
  return isSameLivingProcess(reader.read(identity.pid), identity);
};
