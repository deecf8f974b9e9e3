import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type EndedSession, isOfEnded } from '../../../../app/jobs/sessions/ended-sessions.ts';
import type { AgentSession } from '../../../../app/model/session.ts';
import { messageOf } from '../../../../app/format/error-message.ts';
import { isSameLivingProcess } from '../../../../app/process/row.ts';
import { hookFolders } from '../../../agents/hooks/form/folders.ts';
import { HookedSessions } from '../../../agents/hooks/inbox/hooked-sessions.ts';
import { peekInbox } from '../../../agents/hooks/inbox/inbox.ts';
import { notePass } from '../../../agents/hooks/inbox/latest-pass.ts';
import { queueSessionNotice } from '../../../agents/hooks/inbox/notices.ts';
import { lockFile } from '../../../store/database/file-lock.ts';
import { placesHere } from '../../../store/places.ts';
import { type Engine, withEngine } from '../../../engine/engine.ts';
import { endConfirmed, endsOfOneLook } from '../../../ending/end.ts';
import { thisMachine } from '../../../ending/this-machine.ts';
import { seeAllTwice } from '../../../ending/two-looks.ts';
import type { JudgedJob, Look } from '../../../observing/look.ts';
import { planFor } from '../../../reaping/plan.ts';
import type { ReaperProgress } from '../../../reaping/drive.ts';
import type { ReapingOrder } from '../../../reaping/reaping.ts';
import { Watch } from '../../../supervisor/watch.ts';
import { completeHere } from '../../../reaping/recovery.ts';
import { supervisorInWords } from '../../../home/supervisor-lock-holder.ts';
import { type ExitStatus, exitStatus } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';

/** Milliseconds for the agent to exit after it announced that its session ends. */
const exitMs = 20_000;
/** Milliseconds after that, in which a session that takes over in the background shows itself. */
const successorMs = 5000;
/** Milliseconds between two looks of a pass. */
const betweenPassLooksMs = 3000;
/** Milliseconds between two questions whether the reapings in progress need a look. */
const reapingPollMs = 50;
/** A folder from which nothing can be taken must not keep a pass going for ever. */
const maxRounds = 10;

/** Options of `curfew hook pass`. */
export interface PassOptions {
  /** Orphans at least so old; null: the setting. */
  readonly maxAgeSeconds: number | null;
}

type Chosen = (judged: JudgedJob) => boolean;

/** Writes to the log what came to its end. */
const logged =
  ({ log }: Engine) =>
  ({ ended, failed }: ReaperProgress): void => {
    for (const { job, id, outcome, decidedBy } of ended) log.info('ended', { job, incident: id, outcome, decidedBy });
    for (const { job, error } of failed) log.error('reaping failed', { job, problem: String(error) });
  };

/**
 * What two looks found due of sessions that said that they end, in the mode of the settings:
 * observing, nothing is. A pass has waited for a successor already.
 */
export const reapOfEnded = async (engine: Engine, chosen: Chosen): Promise<void> => {
  const { look, due } = await seeAllTwice(
    () => engine.observer.look(),
    ({ jobs }) => [...jobs.values()].filter((judged) => judged.verdict.action === 'reap' && chosen(judged)),
    () => betweenPassLooksMs,
  );
  const order = ({ job }: JudgedJob): ReapingOrder => ({
    job: job.id,
    decidedBy: 'hook',
    plan: planFor(job, engine.settings()),
  });
  const machine = thisMachine(engine);
  const came = await endConfirmed(machine, { look, due: endsOfOneLook(due, machine.where) }, order, logged(engine));
  if (came.kind === 'unrecordable') throw came.problem;
};

/** Whether to go on: no supervisor, no pause, still enforcing, no session that said its end. */
const mayGoOn = (engine: Engine): boolean =>
  supervisorInWords(engine) === null &&
  engine.pause.until === null &&
  engine.settings().mode === 'enforce' &&
  !peekInbox(hookFolders(engine.places), process.getuid?.() ?? 0).some((event) => event.kind === 'session-end');

/**
 * What is due by the settings, like a supervisor's beats: an end is announced (in the ledger, which
 * every `curfew scan` shows, and in the log), and the pass stays until the notice was given.
 */
export const reapByRule = async (engine: Engine, goesOn: () => boolean): Promise<void> => {
  const { observer, reaper, log, journalProblem, rememberNotices } = engine;
  const folders = hookFolders(engine.places);
  const tell = logged(engine);
  let isGoing = true;
  const problems: unknown[] = [];
  const watch = new Watch({
    where: 'here',
    observer,
    reaper,
    journalProblem,
    rememberNotices,
    settings: () => ({ ...engine.settings(), scanIntervalSeconds: betweenPassLooksMs / 1000 }),
    now: Date.now,
    // What did not succeed is not tried again in this pass.
    steadyNow: () => 0,
    paused: () => false,
    stopping: () => !isGoing,
    tellSessions: (ended) => void queueSessionNotice(folders, ...ended),
    events: {
      looked: () => undefined,
      noticed: ({ job, verdict }) => log.info('noticed', { job: job.id, state: verdict.state, command: job.command }),
      reaping: () => undefined,
      ended: (incident) => tell({ ended: [incident], failed: [] }),
      failed: (failure) => tell({ ended: [], failed: [failure] }),
      problem: (error) => problems.push(error),
    },
  });
  while (isGoing || reaper.inProgress.length > 0) {
    const look = observer.look();
    watch.now(look);
    if (reaper.inProgress.length > 0) {
      while (!reaper.needsLook()) await pause(reapingPollMs);
    } else {
      if (problems.length > 0) throw new Error(messageOf(problems[0]), { cause: problems[0] });
      if (![...look.jobs.values()].some((judged) => watch.isPending(judged))) return;
      await pause(betweenPassLooksMs);
    }
    isGoing = goesOn();
  }
};

/** Sessions that told their end and left something, also where their own pass was killed. */
const endings = (
  ended: readonly EndedSession[],
  sessions: readonly AgentSession[],
  look: Look,
): readonly AgentSession[] => {
  const withJobs = ended.filter((one) => [...look.jobs.values()].some(({ job }) => isOfEnded(job, [one])));
  return sessions.filter(
    ({ agent, id, state }) => state !== 'live' && withJobs.some((one) => one.agent === agent && one.id === id),
  );
};

/** Those of them whose process is gone, after it was given its time. */
const gone = async (engine: Engine, sessions: readonly AgentSession[]): Promise<readonly AgentSession[]> => {
  const lives = ({ process }: AgentSession): boolean =>
    process !== null && isSameLivingProcess(engine.source.read(process.pid), process);
  for (let waitedMs = 0; waitedMs < exitMs && sessions.some(lives); waitedMs += 250) await pause(250);
  return sessions.filter((session) => !lives(session));
};

/**
 * One round: takes the events that wait, ends what ended sessions left, then what is due by the
 * settings. False where a supervisor runs, which does all of that.
 */
const round = async (options: PassOptions, { warn }: Output): Promise<boolean> => {
  const ended = await withEngine({ uid: null, warn }, async (engine) => {
    if (supervisorInWords(engine) !== null) return 'supervised';
    const look = engine.observer.look();
    // Where no supervisor ever runs, a pass that was killed would else stand as still going on.
    if (engine.journalProblem() === null) completeHere(engine, look.table);
    const uid = process.getuid?.() ?? 0;
    const reading = new HookedSessions({ folders: hookFolders(engine.places), uid, takes: true }).read(look.table);
    if (engine.settings().mode !== 'enforce' || engine.settingsForceObserve() || engine.pause.until !== null)
      return 'resting';
    return gone(engine, endings(reading.ended, reading.sessions, look));
  });
  if (typeof ended === 'string') return ended !== 'supervised';
  if (ended.length > 0) {
    await pause(successorMs);
    const ofEnded: Chosen = ({ job, verdict }) =>
      verdict.state === 'orphaned' && ended.some(({ agent, id }) => agent === job.agent && id === job.session);
    await withEngine({ uid: null, warn, terms: { kind: 'session-said-so' } }, (opened) => reapOfEnded(opened, ofEnded));
  }
  const { maxAgeSeconds } = options;
  const rules = maxAgeSeconds === null ? {} : { orphanGraceSeconds: maxAgeSeconds };
  await withEngine({ uid: null, warn, announces: true, ...rules }, (opened) =>
    reapByRule(opened, () => mayGoOn(opened)),
  );
  return true;
};

/**
 * `curfew hook pass`: what a hook or a timer starts when no supervisor runs. Ends at once the
 * orphans of sessions that just said that they end, whatever their age, and then what is due by the
 * settings, like the supervisor: announced, confirmed twice, every veto, and nothing in the mode
 * observe or while no mode was chosen. One runs at a time; a session that ends meanwhile is looked
 * after too.
 */
export const hookPass = async (options: PassOptions, output: Output): Promise<ExitStatus> => {
  const folders = hookFolders(placesHere(homedir()));
  const uid = process.getuid?.() ?? 0;
  // First of all: what is dropped from now on starts another pass, and what was dropped before,
  // this one sees, or the one that has the lock.
  rmSync(folders.passStarting, { force: true });
  for (let rounds = 0; rounds < maxRounds; rounds += 1) {
    const lock = lockFile(folders.passLock, 'exclusive', 0);
    if (lock === null) return exitStatus.done;
    try {
      const supervised = !(await round(options, output));
      // Doctor looks at it, to tell whether what should start passes does.
      notePass(folders, Date.now());
      if (supervised) return exitStatus.done;
    } finally {
      lock.release();
    }
    // What was dropped while this one had the lock found no other pass to look after it.
    if (!peekInbox(folders, uid).some((event) => event.kind === 'session-end')) return exitStatus.done;
  }
  return exitStatus.done;
};
