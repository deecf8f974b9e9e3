import { messageOf } from '../../app/format/error-message.ts';
import type { RunLock } from './record/lock.ts';
import type { RunRecord } from './record/record.ts';
import type { RunFolder } from './record/run-folder.ts';
import type { RunNotes } from './context.ts';
import type { RunOutcome } from './supervise.ts';

/** Returns notes for a run without a folder: only the start is reported. */
export const noNotes = (onStarted: () => void): RunNotes => ({
  started: onStarted,
  members: () => undefined,
  signals: () => undefined,
});

/** Returns notes that record a run in its folder. What can't be written is warned of once. */
export const notesFor = (folder: RunFolder, warn: (text: string) => void, started: RunNotes['started']): RunNotes => {
  let told = false;
  const trying = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!told)
        warn(
          `curfew: ${messageOf(error)}. The record of this run stays incomplete; if this process is killed, its command may be left running.`,
        );
      told = true;
    }
  };
  return {
    started: (pid, startTicks) => trying(() => started(pid, startTicks)),
    members: (note) => trying(() => folder.writeMembers(note)),
    signals: (line) => trying(() => folder.note(line)),
  };
};

/**
 * Completes the record. The exit code is written last: a process that waits for it then finds
 * everything else complete.
 */
export const finishRecord = (
  record: RunRecord,
  folder: RunFolder | null,
  outcome: RunOutcome,
  lock: RunLock | null,
  warn: (text: string) => void,
): RunRecord => {
  const ended: RunRecord = { ...record, end: outcome.ending };
  try {
    lock?.release();
  } catch (error) {
    warn(`curfew: the lock could not be removed: ${messageOf(error)}`);
  }
  try {
    if (record.background || folder?.hasNotes() === true) folder?.write(ended);
    else folder?.remove();
    if (record.background) folder?.writeExitCode(outcome.ending.exitCode);
    folder?.finished();
  } catch (error) {
    warn(`curfew: the end of this run could not be recorded: ${messageOf(error)}`);
  }
  return ended;
};

/**
 * Creates the folder of a run. False: the run goes on without a record, and only its `curfew run`
 * can end it; that is allowed in the foreground.
 * @throws the file system's error for a background run, which needs its folder
 */
export const createFolder = (
  folder: RunFolder,
  record: RunRecord,
  runs: string,
  warn: (text: string) => void,
): boolean => {
  try {
    folder.create(runs);
    folder.write(record);
    return true;
  } catch (error) {
    if (record.background) throw error;
    warn(
      `curfew: ${messageOf(error)}. This run has no record; if this process is killed, its command may be left running.`,
    );
    return false;
  }
};
