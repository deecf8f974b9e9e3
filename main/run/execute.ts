import type { Said } from '../../app/format/said.ts';
import { say, saidOf, warned } from '../../app/text/say.ts';
import { hostname } from 'node:os';
import { redactArguments, redactCommand } from '../../app/format/secrets/redact.ts';
import type { SafeText } from '../../app/format/secrets/safe-text.ts';
import { sessionsNamedBy } from '../../app/judge/runs/run-sparing.ts';
import { keepMarkerName } from '../../app/judge/vetoes/marked.ts';
import { type RunId, asPid } from '../../app/process/identity.ts';
import { type ProcessTable, identityOf } from '../../app/process/table.ts';
import { processTree } from '../../app/process/tree.ts';
import { outputTail } from '../output/output-file.ts';
import { type RunPlaces, openAbandonedTools } from './abandoned/abandoned-tools.ts';
import { type AbandonedTools, endLockHolder } from './abandoned/abandoned.ts';
import type { RunContext, RunNotes } from './context.ts';
import { EndSignals, listenForEnd } from './ending/end-requests.ts';
import { RunIncident, isOverstay } from './ending/incident.ts';
import { containmentFor, demandIdentities } from './members/containment.ts';
import { removeEnclosure } from './members/control-group.ts';
import { RunView } from './members/view.ts';
import { type LockAttempt, type RunLock, takeRunLock } from './record/lock.ts';
import type { RunLimits, RunRecord } from './record/record.ts';
import { RunFolder } from './record/run-folder.ts';
import type { RunRequest } from './request.ts';
import { type RunOutcome, supervise } from './supervise.ts';
import { backgroundStreams, foregroundStreams } from './terminal/streams.ts';

/** Returns notes for a run without a folder: only the start is reported. */
const noNotes = (onStarted: () => void): RunNotes => ({
  started: onStarted,
  members: () => undefined,
  signals: () => undefined,
});

/** Returns notes that record a run in its folder. What can't be written is warned of once. */
const notesFor = (folder: RunFolder, warn: (said: Said) => void, started: RunNotes['started']): RunNotes => {
  let told = false;
  const trying = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!told)
        warn(
          warned(
            say(
              '{why}. The record of this run stays incomplete; if this process is killed, its command may be left running.',
              { why: saidOf(error) },
            ),
          ),
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

/** Completes the record, the exit code last: what waits for it then finds all complete. */
const finishRecord = (
  record: RunRecord,
  folder: RunFolder | null,
  outcome: RunOutcome,
  lock: RunLock | null,
  warn: (said: Said) => void,
): RunRecord => {
  const ended: RunRecord = { ...record, end: outcome.ending };
  try {
    lock?.release();
  } catch (error) {
    warn(warned(say('the lock could not be removed: {why}', { why: saidOf(error) })));
  }
  try {
    if (record.background || folder?.hasNotes() === true) folder?.write(ended);
    else folder?.remove();
    if (record.background) folder?.writeExitCode(outcome.ending.exitCode);
    folder?.finished();
  } catch (error) {
    warn(warned(say('the end of this run could not be recorded: {why}', { why: saidOf(error) })));
  }
  return ended;
};

/**
 * Creates the folder of a run. False: the run goes on without a record, and only its `curfew run`
 * can end it; that is allowed in the foreground.
 * @throws the file system's error for a background run, which needs its folder
 */
const createFolder = (folder: RunFolder, record: RunRecord, runs: string, warn: (said: Said) => void): boolean => {
  try {
    folder.create(runs);
    folder.write(record);
    return true;
  } catch (error) {
    if (record.background) throw error;
    warn(
      warned(
        say('{why}. This run has no record; if this process is killed, its command may be left running.', {
          why: saidOf(error),
        }),
      ),
    );
    return false;
  }
};

export interface ExecuteOptions {
  readonly id: RunId;
  readonly request: RunRequest;
  readonly limits: RunLimits;
  readonly places: RunPlaces;
  readonly background: boolean;
  /** Standard output is kept for the JSON document; the command's output goes to standard error. */
  readonly outputToError: boolean;
  readonly warn: (said: Said) => void;
  /** Called once when the command has started. */
  readonly onStarted: (record: RunRecord) => void;
}

export type RunResult =
  | { readonly kind: 'ended'; readonly record: RunRecord; readonly outcome: RunOutcome }
  | { readonly kind: 'locked'; readonly attempt: Extract<LockAttempt, { taken: false }> };

const takeLock = async (
  options: ExecuteOptions,
  table: ProcessTable,
  tools: AbandonedTools,
  command: SafeText,
): Promise<LockAttempt | null> => {
  const { request, id } = options;
  const self = table.rows.get(asPid(process.pid));
  if (request.lock === null || self === undefined) return null;
  return takeRunLock({
    path: request.lock,
    self: identityOf(table, self),
    run: id,
    command,
    reader: tools.source,
    endAbandoned: (run) => endLockHolder(run, tools),
  });
};

/**
 * Runs a command under supervision until it and its members have ended.
 * @throws the file system's error when a background run can't have its folder or the lock can't be
 * written, and ProcessTableUnreadable; nothing was started then
 */
export const executeRun = async (options: ExecuteOptions): Promise<RunResult> => {
  const { id, request, limits, places, background, warn } = options;
  const { runs } = places;
  const signals = new EndSignals();
  const tools = openAbandonedTools(places, warn);
  const { source, signaller, uid } = tools;
  demandIdentities(source);
  const table = source.scan(new Set());
  const self = table.rows.get(asPid(process.pid));
  if (self === undefined) throw new Error('this process is not in the process table, so nothing can be supervised');
  const tree = processTree(table.rows);
  const command = redactArguments(request.command);
  const attempt = await takeLock(options, table, tools, command);
  if (attempt?.taken === false) return { kind: 'locked', attempt };
  const lock = attempt?.lock ?? null;
  const held = await containmentFor({ id, background, table, tree, self, source, bounds: limits }).catch(
    (error: unknown) => {
      lock?.release();
      throw error;
    },
  );
  const { enclosure, launcher, terminal, placement, services, sinceTicks } = held;
  const ownSession = held.inForce.session ? null : self.sid;
  const keepInherited = process.env[keepMarkerName] === '1';
  await listenForEnd(id, signals, warn);
  const ancestors = tree.ancestors(self.pid).map(({ pid, startTicks }) => ({ pid, startTicks }));
  let record: RunRecord = {
    schema: 1,
    id,
    name: request.name === null ? null : redactCommand(request.name),
    command,
    folder: process.cwd(),
    workspace: request.workspace,
    background,
    startedAt: new Date().toISOString(),
    supervisor: identityOf(table, self),
    host: hostname(),
    ancestors,
    sinceTicks,
    root: null,
    keepInherited,
    strict: request.strict,
    session: null,
    services: [...services],
    limits,
    lock: lock?.path ?? null,
    inForce: { ...held.inForce, signals: signaller.mechanism },
    end: null,
  };
  const folder = new RunFolder(runs, id);
  const noted = notesFor(folder, warn, (pid, startTicks) => {
    record = {
      ...record,
      root: startTicks === null ? null : { bootId: table.bootId, pid, startTicks },
      session: ownSession ?? pid,
    };
    try {
      folder.write(record);
    } finally {
      options.onStarted(record);
    }
  });
  let recorded: boolean;
  try {
    recorded = createFolder(folder, record, runs, warn);
  } catch (error) {
    lock?.release();
    await removeEnclosure(enclosure, false);
    throw error;
  }
  const context: RunContext = {
    id,
    command: request.command,
    limits,
    placement,
    terminal,
    launcher,
    source,
    signaller,
    enclosure,
    view: new RunView({
      source,
      id,
      subreaper: launcher.subreaper,
      enclosure,
      idsAreHeld: held.idsAreHeld,
      keepInherited,
      inherited: new Set(sessionsNamedBy(self, source.environment(self) ?? {})),
      sinceTicks: Math.floor(sinceTicks),
      strangers: tree.children(self.pid).length > 0,
      ancestors,
      uid,
      strict: request.strict,
      services,
    }),
    ownSession,
    ...(held.ask === undefined ? {} : { ask: held.ask }),
    keysEndRun: held.keysEndRun,
    met: held.met,
    streams: background
      ? backgroundStreams(folder, limits.idleAfter !== null)
      : foregroundStreams({ watched: limits.idleAfter !== null, toError: options.outputToError }),
    keptUntilSeconds: () => folder.readKeep(),
    incident: (cause) =>
      isOverstay(cause)
        ? new RunIncident(record, cause, {
            ...tools,
            outputTail: () => (background ? outputTail(folder.stdout, uid) : null),
          })
        : null,
    notes: recorded ? noted : noNotes(() => options.onStarted(record)),
    signals,
    warn,
  };
  const outcome = await supervise(context);
  await removeEnclosure(context.enclosure, outcome.ending.survivors.length === 0);
  return { kind: 'ended', record: finishRecord(record, recorded ? folder : null, outcome, lock, warn), outcome };
};
