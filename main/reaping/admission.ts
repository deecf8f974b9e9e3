import type { Intent } from '../../app/history/incident.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';

/** Somebody else is ending that job: a supervisor and a command, or two commands, at the same moment. */
export class JobTaken extends Error {
  override readonly name = 'JobTaken';
}

/**
 * For the journal to ask before it takes an intent: throws JobTaken when another Curfew process that lives has an open incident of the
 * same job.
 * @param isRunning whether that process of this machine and boot lives
 */
export const keepRivalsOut =
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
