import { messageOf } from '../../app/format/error-message.ts';
import type { RunLock } from './record/lock.ts';
import type { RunRecord } from './record/record.ts';
import type { RunFolder } from './record/run-folder.ts';
import type { RunNotes } from './context.ts';
import type { RunOutcome } from './supervise.ts';

/** Where nothing can be written down: only the start is told. */
export const noNotes = (onStarted: () => void): RunNotes => ({
  started: onStarted,
  members: () => undefined,
  signals: () => undefined,
});

/** Writes down what happens to a run. What can't be written is told once and borne. */
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

/** Completes the record. The exit code comes last: whoever waits for it finds everything else done. */
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

/** A run in the foreground goes on without a record: then only its `curfew run` can end it. One in the background is nothing without its folder: then the file system's error is thrown. False: without a record. */
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
