import type { Said } from '../../app/format/said.ts';
import { homedir } from 'node:os';
import type { EndedSession } from '../../app/jobs/sessions/ended-sessions.ts';
import type { Evidence } from '../../app/jobs/lineage/evidence.ts';
import type { Keep, Saying } from '../../app/jobs/spared/spared.ts';
import type { Job, JobId } from '../../app/model/job.ts';
import type { Terms } from '../../app/judge/context.ts';
import type { ProcessRef } from '../../app/jobs/ledger/ledger.ts';
import { asPid, asRunId } from '../../app/process/identity.ts';
import type { ProcessRow } from '../../app/process/row.ts';
import type { ProcessTable } from '../../app/process/table.ts';
import { warned } from '../../app/text/say.ts';
import { environmentNames } from '../../app/agents/signatures.ts';
import { hookFolders } from '../agents/hooks/form/folders.ts';
import { HookedSessions } from '../agents/hooks/inbox/hooked-sessions.ts';
import { InboxWatch } from '../agents/hooks/inbox/inbox-watch.ts';
import {
  openConfiguredMarks,
  openTaskNotes,
  sessionTurn,
  teammateTurn,
  sessionWakes,
  transcriptWrittenMs,
} from '../agents/of-all.ts';
import { mergeSessions, SessionReader } from '../agents/session-directory.ts';
import { seenFolders } from '../store/seen-list.ts';
import { openAgentStarts } from '../agent-start/started.ts';
import { openShellNotes } from '../agents/hooks/inbox/shell-notes.ts';
import { openMachine } from '../os/open-machine.ts';
import type { Trust } from '../../app/process/reader-check.ts';
import { awakeNowSeconds } from '../os/awake-clock.ts';
import { keptChecks } from '../store/kept-checks.ts';
import { processMemory } from '../os/process-memory.ts';
import type { Signaller } from '../os/processes/signaller.ts';
import type { ProcessSource } from '../os/processes/source.ts';
import { locksLeftBy } from '../locks/left-by.ts';
import type { SessionNews } from '../supervisor/supervisor-tools.ts';
import { RunFolder } from '../run/record/run-folder.ts';
import { RunReader } from '../run/record/run-reader.ts';
import { FileClock } from '../store/file-clock.ts';
import { openStores, type Stores, type StoresOptions } from './stores.ts';
import { programEvidence } from '../observing/linked-program.ts';
import { packageEvidence } from '../observing/package-of.ts';
import { evidenceFrom } from '../observing/evidence.ts';
import { Observer } from '../observing/observer.ts';
import { freeBytes, numberIn, outputBytes, outputTail } from '../output/output-file.ts';
import { Reaper } from '../reaping/reaper.ts';
import { outputToTellIn, tellAgent } from '../output/tell-agent.ts';

export interface EngineOptions {
  /** The user whose processes are candidates; null: the caller. */
  readonly uid: number | null;
  /** Called with problems of settings or stores, in sentences. */
  readonly warn: (said: Said) => void;
  /** Overrides the settings' mode. */
  readonly mode?: 'enforce' | 'observe';
  readonly lines?: StoresOptions['lines'];
  /** Takes hook events out of their inbox. Only the supervisor does; others just read it. */
  readonly takesHookEvents?: boolean;
  /** Overrides the setting for one pass; seconds. */
  readonly orphanGraceSeconds?: number;
  /** It is opened to print what it sees: nothing is expected to be signalled. */
  readonly onlyLooks?: boolean;
  /** Servers of living sessions are shown too. */
  readonly allServers?: boolean;
  /** See `ObserverTools`. */
  readonly showsDetached?: boolean;
  /** Replaces grace and notice for this pass. */
  readonly terms?: Terms;
  /** Announces ends and carries them out; see `ObserverTools`. */
  readonly announces?: boolean;
  readonly keepsNothing?: StoresOptions['keepsNothing'];
}

/** What scans and reaps here, wired once for the command line and the windows. */
export interface Engine extends Stores {
  /** Puts a job off from this look on, for all Curfews of this home. Throws StoreFailure. */
  readonly keep: (job: Pick<Job, 'id'>, table: Saying, keep: Keep) => void;
  /** Takes back that a job is kept, or the user's. Throws StoreFailure. */
  readonly unkeep: (id: JobId, table: Saying) => void;
  /** The user says that the processes of a job are theirs. Throws StoreFailure. */
  readonly sayMine: (job: Pick<Job, 'id' | 'members'>, table: Saying) => void;
  readonly home: string;
  /** The user whose processes and files are scanned. */
  readonly uid: number;
  /** This process, as the record names it. */
  readonly writer: ProcessRef;
  readonly source: ProcessSource;
  readonly signaller: Signaller;
  /** How far both may be believed. */
  readonly trust: Trust;
  readonly evidence: Evidence;
  readonly observer: Observer;
  /**
   * When a process began at the earliest, by the clock of the times of files: epoch milliseconds;
   * null: not known.
   */
  readonly startedMs: (row: ProcessRow) => number | null;
  /** How far that clock may have been put forward since a file was changed, milliseconds. */
  readonly putForwardMs: (changedMs: number) => number;
  readonly reaper: Reaper;
  /** Tells the supervisor that hook events have arrived. */
  readonly sessionNews: SessionNews;
}

const ownMark = (source: ProcessSource): ProcessRef => {
  const row = source.read(asPid(process.pid));
  return { pid: process.pid, startTicks: row?.startTicks ?? 0 };
};

/** What is read of this machine is not proved: then nothing is ended automatically. */
const onlyObserving = (stores: Stores, why: string): Stores => ({
  ...stores,
  settings: () => {
    const settings = stores.settings();
    return settings.mode === 'enforce' ? { ...settings, mode: 'observe' } : settings;
  },
  settingsForceObserve: () => true,
  notices: () => [...stores.notices(), why],
});

/**
 * Wires the engine.
 * @throws what the stores and the source throw when they can't be opened at all
 */
export const openEngine = (options: EngineOptions): Engine => {
  const uid = options.uid ?? process.getuid?.() ?? 0;
  const home = homedir();
  const opened = openStores({
    home,
    uid,
    warn: options.warn,
    ...(options.lines === undefined ? {} : { lines: options.lines }),
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.keepsNothing === undefined ? {} : { keepsNothing: options.keepsNothing }),
  });
  const { orphanGraceSeconds } = options;
  const { source, signaller, trust } = openMachine({
    uid,
    environmentNames,
    proves: options.onlyLooks !== true,
    warn: (said) => options.warn(warned(said)),
    kept: keptChecks(opened.places),
  });
  const believed = trust.unproved === null ? opened : onlyObserving(opened, trust.unproved);
  const stores: Stores =
    orphanGraceSeconds === undefined
      ? believed
      : { ...believed, settings: () => ({ ...believed.settings(), orphanGraceSeconds }) };
  const forgets = options.keepsNothing?.(stores.places) === true;
  const sessions = new SessionReader({ source, home, uid, ...(forgets ? {} : { seen: seenFolders(stores.places) }) });
  const clock = new FileClock(forgets ? null : stores.places);
  const startedMs = ({ startTicks }: ProcessRow): number | null => clock.startedMs(startTicks);
  const folders = hookFolders(stores.places);
  const takes = options.takesHookEvents === true;
  const hooked = new HookedSessions({ folders, uid, takes });
  let ended: readonly EndedSession[] = [];
  let latest: ProcessTable | null = null;
  const started = openAgentStarts(stores.places.state, source);
  const evidence = {
    ...evidenceFrom(
      source,
      () => stores.settings().rules,
      () => latest?.rows ?? new Map(),
      openTaskNotes(uid),
      openConfiguredMarks(home, uid),
    ),
    ...programEvidence(startedMs),
    holdsAgent: packageEvidence(source, uid),
    shellNotes: openShellNotes(folders, uid),
    agentStarts: started.starts,
  };
  const runReader = new RunReader(stores.places.runs);
  const observer = new Observer({
    source,
    evidence,
    readSessions: (table) => {
      latest = table;
      clock.note(table);
      const read = sessions.read(table);
      const told = hooked.read(table);
      ended = told.ended;
      return {
        ...read,
        sessions: mergeSessions(read.sessions, told.sessions),
        adoptions: [...read.adoptions, ...told.adoptions],
      };
    },
    ledger: stores.ledger,
    readRuns: (bootId) => runReader.read(bootId),
    settings: stores.settings,
    now: Date.now,
    fileBytes: (path) => outputBytes(path, uid),
    transcriptMs: transcriptWrittenMs,
    wakes: (session) => sessionWakes(session, uid),
    turn: (session) => sessionTurn(session, uid),
    turnInTeam: (agent, row) => teammateTurn(agent, row, home, uid),
    ...(takes ? { endedSessions: () => ended } : {}),
    freeBytes,
    numberIn: (path) => numberIn(path, uid),
    ...(options.terms === undefined ? {} : { terms: options.terms }),
    ...(options.announces === true ? { announces: true } : {}),
    ...(options.allServers === true ? { allServers: true } : {}),
    ...(options.showsDetached === true ? { showsDetached: true } : {}),
  });
  const writer = ownMark(source);
  const reaper = new Reaper({
    source,
    signaller,
    journal: stores.journal,
    now: Date.now,
    writer,
    vetoContext: (job, look) => observer.vetoContext(job, look),
    leftGroups: started.left,
    readShares: processMemory,
    outputTail: (job) => (job.output === null ? null : outputTail(job.output, uid)),
    runOutcome: (run) => new RunFolder(stores.places.runs, asRunId(run.id)).read()?.end?.outcome ?? null,
    outputToTellIn,
    leftLocks: (job, dead, look) => locksLeftBy(source.pidNamespace, job, dead, look),
    paused: () => stores.pause.until !== null,
    tellAgent: (job, output, event) => tellAgent(job, output, uid, event),
  });
  const journalProblem = (): Error | null =>
    source.canReap
      ? stores.journalProblem()
      : new Error(
          `On this machine Curfew can only report: through ${source.name} it can't identify processes safely enough to end them.`,
        );
  const sessionNews = new InboxWatch(folders, uid);
  const runOf = (id: JobId): RunFolder | null => {
    const run = observer.runOf(id);
    return run === null ? null : new RunFolder(stores.places.runs, asRunId(run.id));
  };
  // Limits of a run are enforced by its `curfew run`; tell that process first.
  const keep = (job: Pick<Job, 'id'>, table: Saying, wanted: Keep): void => {
    runOf(job.id)?.writeKeep(awakeNowSeconds() + wanted.seconds);
    stores.ledger.spared.say(table, [{ kind: 'keep', job: job.id, keep: wanted }]);
  };
  const unkeep = (id: JobId, table: Saying): void => {
    runOf(id)?.writeKeep(null);
    stores.ledger.spared.takeBack(table, id);
  };
  const sayMine = ({ id, members }: Pick<Job, 'id' | 'members'>, table: Saying): void =>
    stores.ledger.spared.say(
      table,
      members.map(
        ({ row }) => ({ kind: 'mine', job: id, mine: true, pid: row.pid, startTicks: row.startTicks }) as const,
      ),
    );
  return {
    ...stores,
    keep,
    unkeep,
    sayMine,
    journalProblem,
    home,
    uid,
    writer,
    source,
    signaller,
    trust,
    evidence,
    observer,
    startedMs,
    putForwardMs: (changedMs) => clock.putForwardMs(changedMs),
    reaper,
    sessionNews,
  };
};

/**
 * Opens an engine for some work, and closes it when that is done or has failed.
 * @throws what `openEngine` and the work throw
 */
export const withEngine = async <Result>(
  options: EngineOptions,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> => {
  const engine = openEngine(options);
  try {
    return await work(engine);
  } finally {
    engine.close();
  }
};
