import type { Said } from '../../../app/format/said.ts';
import type { Pid, ProcessIdentity } from '../../../app/process/identity.ts';
import { isSameLivingProcess } from '../../../app/process/row.ts';
import type { SignalName } from '../../../app/process/signal.ts';
import type { ProcessSource } from './source.ts';

/**
 * Returns whether a pid must never be signalled, whatever was decided: pid 1, 0 and negative pids
 * ("every process" and "my group" in kill(2)), and Curfew itself. The judge vetoes all of them
 * before; this is the last check.
 */
export const isUntouchable = (pid: Pid): boolean => !Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid;

/** A handle that refuses every signal. */
export const refusingHandle = (identity: ProcessIdentity): ProcessHandle => ({
  identity,
  kind: 'recheck',
  alive: () => true,
  send: () => 'refused',
  sendToGroup: () => 'refused',
  close: () => undefined,
});

export type SignalResult = 'sent' | 'gone' | 'refused';

/**
 * A handle on one process. On Linux a pidfd, opened before the identity is confirmed: whatever the
 * pid means later, the signal reaches the confirmed process or none. Elsewhere the identity is read
 * again immediately before the signal.
 */
export interface ProcessHandle {
  readonly identity: ProcessIdentity;
  /**
   * `pidfd`; `audit-token`: the kernel itself refuses the signal to any other process; `handle`:
   * Windows gives the pid to no other process while it is held; `recheck`: the identity is read
   * again right before each signal.
   */
  readonly kind: 'pidfd' | 'audit-token' | 'handle' | 'recheck';
  /** Returns whether the held process is the confirmed one and not ended (as a zombie has). */
  alive(): boolean;
  /** Sends to this process only. Never throws for one that is gone or may not be signalled. */
  send(signal: SignalName): SignalResult;
  /** Why this signal is refused, where it isn't for lack of rights; absent where it always is. */
  whyRefused?(signal: SignalName): Said | null;
  /** What is to be said of this signal, which was sent; absent where that is never anything. */
  sentNote?(signal: SignalName): Said | null;
  /**
   * Sends to the whole process group that this process leads. The caller has judged every member.
   * `unsupported` if the kernel can't do it without risking a recycled id; the members are then
   * signalled one by one.
   */
  sendToGroup(signal: SignalName): SignalResult | 'unsupported';
  /**
   * Returns whether the process group whose id is this process's pid is empty, without even a
   * zombie, also after the process's death. Null or absent if unknown.
   */
  groupIsEmpty?(): boolean | null;
  /** Releases the handle. Safe to call twice. */
  close(): void;
}

/** The only way in which Curfew sends signals. */
export interface Signaller {
  /** "pidfd", "audit token", "recheck", and variants: for `doctor` and the journal. */
  readonly mechanism: string;
  /** Opens a handle. Null if gone, or another's pid now (compared after opening). */
  open(identity: ProcessIdentity): ProcessHandle | null;
  /**
   * Sends a harmless signal to a version of the process that is not there, and returns whether the
   * kernel refused it: for the self-check. Absent where signals name no version.
   */
  refusesWrongVersion?(identity: ProcessIdentity): boolean;
}

/** What confirms identities. `read` reads a process now, past every cache, or returns null. */
export type IdentityReader = Pick<ProcessSource, 'bootId' | 'read'>;

/** Returns whether the process that has this pid now is the same one and has not ended. */
export const isStill = (reader: IdentityReader, identity: ProcessIdentity): boolean => {
  if (identity.bootId !== reader.bootId) return false;
  return isSameLivingProcess(reader.read(identity.pid), identity);
};
