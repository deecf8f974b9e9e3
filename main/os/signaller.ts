import type { Pid, ProcessIdentity } from '../../app/process/identity.ts';
import type { SignalName } from '../../app/reap/signal.ts';

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

/** Reads the start time of a pid now; what `recheck` compares with. */
export type ReadStartTicks = (pid: Pid) => number | null;
