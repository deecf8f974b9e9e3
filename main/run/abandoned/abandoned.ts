import type { Said } from '../../../app/format/said.ts';
import { recordedSparing } from '../members/sparer.ts';
import { dirname } from 'node:path';
import { type RunId, asPid } from '../../../app/process/identity.ts';
import { hasEnded } from '../../../app/process/row.ts';
import { controlGroupAt } from '../../os/containment/control-group.ts';
import type { Enclosure } from '../../os/containment/service-manager.ts';
import type { Signaller } from '../../os/processes/signaller.ts';
import type { ProcessSource } from '../../os/processes/source.ts';
import { lockFile } from '../../store/database/file-lock.ts';
import { outputTail } from '../../output/output-file.ts';
import type { Journal } from '../../reaping/journal.ts';
import type { EndingResult } from '../ending/end-requests.ts';
import { endMembers } from '../ending/ending.ts';
import { RunIncident } from '../ending/incident.ts';
import { removeRunLock, type LeftWhy } from '../record/lock.ts';
import { whyNotDead } from '../record/proved-dead.ts';
import type { RunEnding, RunRecord } from '../record/record.ts';
import { removeEnclosure } from '../members/control-group.ts';
import { RunFolder } from '../record/run-folder.ts';
import { unfinishedRuns } from '../record/unfinished.ts';
import { RunView } from '../members/view.ts';
import { removesOpenFiles } from '../../os/this-system.ts';

/** What ends abandoned runs. `source` must read the variables CURFEW_RUN and CURFEW_KEEP. */
export interface AbandonedTools {
  readonly runs: string;
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  readonly uid: number;
  readonly journal: Journal;
  /** Called with a sentence for people when something could not be recorded. */
  readonly warn: (said: Said) => void;
}

export interface NotAbandoned {
  readonly kind: 'nothing' | 'busy';
}

export interface AbandonedRun {
  readonly kind: 'ended';
  readonly record: RunRecord;
}

/**
 * Returns whether the `curfew run` of this record is proved dead. False for a run of another
 * container, boot or machine, whose processes can't be seen from here.
 */
export const isAbandoned = (
  { host, supervisor }: Pick<RunRecord, 'host' | 'supervisor'>,
  source: Pick<ProcessSource, 'bootId' | 'read'>,
): boolean => whyNotDead({ ...supervisor, host }, source) === null;

/**
 * Rebuilds the view of a run from its record, without a supervisor in between. Recorded identities
 * count. Group and session ids count only while a recorded identity or a process with the cookie is
 * still in them: an id that was never empty can't have been reused.
 */
const viewOf = (record: RunRecord, folder: RunFolder, tools: AbandonedTools): RunView => {
  const { source } = tools;
  const path = record.inForce !== null && 'path' in record.inForce.cgroup ? record.inForce.cgroup.path : null;
  const view = new RunView({
    source,
    id: record.id,
    subreaper: false,
    enclosure: path === null ? null : controlGroupAt(path, dirname(path)),
    idsAreHeld: record.inForce?.job !== true,
    keepInherited: false,
    inherited: new Set(),
    sinceTicks: record.sinceTicks,
    strangers: false,
    ancestors: record.ancestors,
    uid: tools.uid,
    strict: record.strict,
    services: record.services,
  });
  const noted = folder.readMembers()?.members ?? [];
  if (record.session !== null) view.sparer.startedIn(record.session, record.root);
  view.sparer.remember({
    below: new Map(
      noted.flatMap(({ pid, startTicks, spared }) =>
        spared === undefined ? [] : [[asPid(pid), { startTicks, origin: asPid(spared) }] as const],
      ),
    ),
    kept: new Map(noted.filter(({ kept }) => kept).map(({ pid, startTicks }) => [asPid(pid), startTicks])),
    sessions: new Map(),
    inherited: new Set(),
  });
  if (record.root !== null) view.remember(record.root.pid, record.root.startTicks);
  const groups = new Set<number>();
  const sessions = new Set<number>();
  const { rows } = source.scan(new Set());
  for (const row of rows.values()) {
    const member = noted.find(({ pid, startTicks }) => pid === row.pid && startTicks === row.startTicks);
    if (member === undefined) continue;
    view.remember(row.pid, row.startTicks);
    // On a terminal the run shared these ids with other processes, so they are not its own.
    if (record.inForce?.group === true && member.pgid === row.pgid) groups.add(row.pgid);
    if (record.inForce?.session === true && member.sid === row.sid) sessions.add(row.sid);
  }
  view.rememberIds(groups, sessions);
  return view;
};

/**
 * True where what the command started was noted nowhere, neither by the run nor by the kernel: what
 * has left its group and session, and its environment, may live on.
 */
const mayHaveUnknown = ({ root, inForce }: RunRecord, folder: RunFolder): boolean =>
  root !== null && !(inForce !== null && 'path' in inForce.cgroup) && folder.readMembers() === null;

const endingOf = (result: EndingResult): RunEnding => {
  const outcome = result.outcome === 'vanished' ? null : result.outcome;
  return {
    at: new Date().toISOString(),
    cause: 'abandoned',
    signal: null,
    status: 137,
    // The command's own status was lost with its `curfew run`. 143 if TERM ended it.
    exitCode: outcome === 'reaped' ? 143 : 137,
    observed: false,
    outcome,
    survivors: [...result.survivors],
    spared: result.spared.map(recordedSparing),
  };
};

/** Its groups of version 1, which bounded it. */
const besideOf = ({ inForce }: RunRecord): readonly Enclosure[] =>
  inForce === null || 'reason' in inForce.cgroup
    ? []
    : (inForce.cgroup.beside ?? []).map((path) => controlGroupAt(path, dirname(path)));

const endOne = async (record: RunRecord, folder: RunFolder, tools: AbandonedTools): Promise<AbandonedRun> => {
  const { signaller } = tools;
  const path = record.inForce !== null && 'path' in record.inForce.cgroup ? record.inForce.cgroup.path : null;
  const enclosure = path === null ? null : controlGroupAt(path, dirname(path));
  const isUnproved = mayHaveUnknown(record, folder);
  const result = await endMembers(
    {
      view: viewOf(record, folder, tools),
      signaller,
      enclosure,
      // The members are children of the process that adopted them.
      launcher: { waitForChildren: () => 'unknown', killGroup: () => false },
      // The user who started the run does not wait here: what can't be recorded is not done.
      note: (line) => folder.note(line),
      incident: new RunIncident(record, 'abandoned', {
        ...tools,
        outputTail: () => (record.background ? outputTail(folder.stdout, tools.uid) : null),
      }),
    },
    { cause: 'abandoned', signal: record.limits.signal, graceSeconds: record.limits.graceSeconds },
  );
  await removeEnclosure(enclosure, result.survivors.length === 0);
  for (const beside of besideOf(record)) await removeEnclosure(beside, result.survivors.length === 0);
  if (record.lock !== null && result.survivors.length === 0 && !isUnproved) removeRunLock(record.lock, record.id);
  const ended: RunRecord = {
    ...record,
    end: { ...endingOf(result), ...(isUnproved ? { unproved: true as const } : {}) },
  };
  if (record.background || folder.hasNotes() || (isUnproved && record.lock !== null)) {
    folder.write(ended);
    if (record.background) folder.writeExitCode(ended.end?.exitCode ?? 137);
    folder.finished();
  } else if (!removesOpenFiles) {
    // The lock of the ending is in the folder of the run, and open.
    folder.write(ended);
    folder.finished();
  } else folder.remove();
  return { kind: 'ended', record: ended };
};

/** Completes a run whose `curfew run` was killed between its members' end and the record. */
const completeEnded = (record: RunRecord, end: RunEnding, folder: RunFolder): void => {
  if (record.background && folder.readExitCode() === null) folder.writeExitCode(end.exitCode);
  folder.finished();
};

/**
 * Ends one abandoned run with everything left of it, and completes its record and lock. `nothing`:
 * it has ended, or its `curfew run` lives. `busy`: another Curfew is ending it.
 * @throws when signals can't be recorded beforehand
 */
export const endAbandonedRun = async (id: RunId, tools: AbandonedTools): Promise<AbandonedRun | NotAbandoned> => {
  const folder = new RunFolder(tools.runs, id);
  const before = folder.read();
  if (before?.end != null) completeEnded(before, before.end, folder);
  else if (!folder.exists()) folder.finished();
  if (before === null || before.end !== null || !isAbandoned(before, tools.source)) return { kind: 'nothing' };
  const mutex = lockFile(folder.lock, 'exclusive', 0);
  if (mutex === null) return { kind: 'busy' };
  try {
    const record = folder.read();
    return record === null || record.end !== null ? { kind: 'nothing' } : await endOne(record, folder, tools);
  } finally {
    mutex.release();
    // Taking the lock recreates the folder if another Curfew has just removed it.
    const left = folder.read();
    if (left === null || (left.end !== null && left.end.unproved !== true && !left.background && !folder.hasNotes()))
      folder.remove();
  }
};

/**
 * Ends what the dead holder of a lock left, and returns `ended` only with proof that nothing of its
 * run is left: an ending without survivors, here or in its record.
 * @throws as `endAbandonedRun` does
 */
export const endLockHolder = async (id: RunId, tools: AbandonedTools): Promise<'ended' | 'busy' | LeftWhy> => {
  const one = await endAbandonedRun(id, tools);
  if (one.kind === 'busy') return 'busy';
  const end = one.kind === 'ended' ? one.record.end : (new RunFolder(tools.runs, id).read()?.end ?? null);
  if (end === null || end.unproved === true) return 'no-record';
  const mayLive = (pid: number): boolean => {
    const row = tools.source.read(asPid(pid));
    return row !== null && !hasEnded(row);
  };
  return end.survivors.some(mayLive) ? 'survivors' : 'ended';
};

/**
 * Ends all abandoned runs: at each scan of the supervisor, and when a command about runs starts.
 * Reads one small file per unfinished run. A run that can't be ended goes to `onError` and does not
 * stop the others.
 */
export const endAbandonedRuns = async (
  tools: AbandonedTools,
  onError: (id: RunId, error: unknown) => void,
): Promise<readonly AbandonedRun[]> => {
  const ended: AbandonedRun[] = [];
  for (const id of unfinishedRuns(tools.runs)) {
    try {
      const one = await endAbandonedRun(id, tools);
      if (one.kind === 'ended') ended.push(one);
    } catch (error) {
      onError(id, error);
    }
  }
  return ended;
};
