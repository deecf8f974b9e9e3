import type { Decider, Intent } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import type { JudgedJob } from '../observing/look.ts';

/** Another Curfew, supervisor or command, is ending that job at the same moment. */
export class JobTaken extends Error {
  override readonly name = 'JobTaken';
}

/**
 * For the journal to ask before it takes an intent: throws JobTaken when another Curfew process
 * that lives has an open incident of the same job.
 * @param isRunning whether that process of this machine and boot lives
 */
export const rejectConcurrentReaper =
  (intent: Intent, isRunning: (writer: ProcessRef) => boolean) =>
  (open: readonly Intent[]): void => {
    const { writer } = intent;
    const rival = open.find(
      (one) =>
        one.job === intent.job &&
        one.bootId === intent.bootId &&
        (one.writer.pid !== writer.pid || one.writer.startTicks !== writer.startTicks) &&
        isRunning(one.writer),
    );
    if (rival !== undefined) throw new JobTaken(`another Curfew (process ${rival.writer.pid}) is ending it already`);
  };

/**
 * Whether a reaping may begin: what no user asked for needs a verdict that says "reap now", and a
 * notice that was given before, or the session's own word that it ends (contract 10).
 */
export const isToldFirst = ({ decidedBy }: { readonly decidedBy: Decider }, judged: JudgedJob): boolean => {
  switch (decidedBy) {
    case 'person':
    case 'command':
    case 'agent':
      return true;
    case 'hook':
      // Its session said itself that it ends.
      return judged.verdict.action === 'reap';
    case 'rule':
      return judged.verdict.action === 'reap' && (judged.job.announcedSeconds !== null || judged.toldEnded === true);
  }
};
