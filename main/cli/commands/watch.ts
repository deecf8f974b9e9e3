import { incidentView } from '../../../app/contract/incident-view-of.ts';
import { jobView } from '../../../app/contract/job-view-of.ts';
import { english } from '../../../app/text/english.ts';
import type { SupervisorEvents } from '../../supervisor/supervisor.ts';
import { Supervisor } from '../../supervisor/supervisor.ts';
import { completeInterrupted } from '../../supervisor/recovery.ts';
import { takeSupervision } from '../../supervisor/supervision.ts';
import { hookFolders } from '../../agents/hooks/folders.ts';
import { tellNextSession } from '../../agents/hooks/notices.ts';
import type { Engine } from '../../supervisor/engine.ts';
import { openEngine } from '../../supervisor/engine.ts';
import type { ExitStatus } from '../exit-status.ts';
import { exitStatus, NotDone } from '../exit-status.ts';
import { pruneRuns } from '../../run/prune.ts';
import { LiveView } from '../live-view.ts';
import type { Output } from '../output.ts';
import { eventLines } from '../watch-lines.ts';
import { documentOf } from './scan.ts';

/** Options of `curfew watch`, checked. */
export interface WatchOptions {
  readonly json: boolean;
  readonly mode: 'enforce' | 'observe' | null;
  readonly uid: number | null;
}

const howToChoose =
  'Curfew only observes until you choose: `curfew settings set mode enforce` lets it end what overstays, `curfew settings set mode observe` keeps it from doing so.';

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One document a line, for programs. */
const jsonEvents = (engine: Engine, output: Output): SupervisorEvents => {
  const line = (document: unknown): void => void output.write(`${JSON.stringify(document)}\n`);
  return {
    looked: (look) => line({ event: 'looked', ...documentOf(look, engine.settings().mode, true) }),
    noticed: (judged, look) => line({ event: 'noticed', job: jobView({ ...judged, table: look.table }, english) }),
    reaping: (judged, look, decidedBy) =>
      line({ event: 'reaping', decidedBy, job: jobView({ ...judged, table: look.table }, english) }),
    ended: (incident) => line({ event: 'ended', incident: incidentView(incident, english) }),
    failed: ({ job, error }) => line({ event: 'failed', job, problem: message(error) }),
    problem: (error) => line({ event: 'problem', problem: message(error) }),
  };
};

const textEvents = (output: Output): SupervisorEvents => {
  const say = (lines: readonly string[]): void => {
    for (const line of lines) void output.write(`${line}\n`);
  };
  return {
    looked: () => undefined,
    noticed: (judged) => say(eventLines.noticed(judged, output)),
    reaping: (judged) => say(eventLines.reaping(judged, output)),
    ended: (incident) => say(eventLines.ended(incident, output)),
    failed: (failure) => output.warn(`curfew: job ${failure.job}: ${message(failure.error)}`),
    problem: (error) => output.warn(`curfew: ${message(error)}`),
  };
};

const logged = (engine: Engine, events: SupervisorEvents): SupervisorEvents => ({
  looked: events.looked,
  noticed: (judged, look) => {
    engine.log.info('noticed', { job: judged.job.id, state: judged.verdict.state, command: judged.job.command });
    events.noticed(judged, look);
  },
  reaping: (judged, look, decidedBy) => {
    engine.log.info('reaping', {
      job: judged.job.id,
      state: judged.verdict.state,
      decidedBy,
      command: judged.job.command,
    });
    events.reaping(judged, look, decidedBy);
  },
  ended: (incident) => {
    engine.log.info('ended', { job: incident.job, incident: incident.id, outcome: incident.outcome });
    tellNextSession(hookFolders(engine.places), incident);
    events.ended(incident);
  },
  failed: (failure) => {
    engine.log.error('reaping failed', { job: failure.job, problem: message(failure.error) });
    events.failed(failure);
  },
  problem: (error) => {
    engine.log.error('problem', { problem: message(error) });
    events.problem(error);
  },
});

const untilTold = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });

/** Where the machine can't be asked synchronously, it is asked in between: the supervisor then sees what was found last. */
const keepRefreshed = async (engine: Engine): Promise<NodeJS.Timeout | undefined> => {
  const { source } = engine;
  if (source.refresh === undefined) return undefined;
  await source.refresh();
  const refresh = (): void => {
    source.refresh?.().catch((error: unknown) => engine.log.error('no process table', { problem: message(error) }));
  };
  return setInterval(refresh, engine.settings().scanIntervalSeconds * 1000);
};

/** Completes the records that an earlier Curfew could not, and forgets what is older than the person wants it kept. */
const tidyUp = (engine: Engine, output: Output): void => {
  try {
    const { table } = engine.observer.look();
    completeInterrupted(engine.history.unfinished(), table, engine.journal, Date.now());
    engine.pruneHistory();
    pruneRuns(engine.places.runs, engine.settings().historyDays, Date.now());
  } catch (error) {
    // The supervisor watches all the same; what can't be recorded is not reaped, and doctor says why.
    engine.log.error('tidying up failed', { problem: message(error) });
    output.warn(`curfew: ${message(error)}`);
  }
};

/** `curfew watch`: the supervisor in the foreground until it is told to end. */
export const watch = async (options: WatchOptions, output: Output): Promise<ExitStatus> => {
  const engine = openEngine({
    uid: options.uid,
    warn: output.warn,
    takesHookEvents: true,
    ...(options.mode === null ? {} : { mode: options.mode }),
  });
  const told = untilTold();
  const supervision = takeSupervision(engine, 'watch');
  if (!supervision.ok) {
    engine.close();
    throw new NotDone(supervision.problem);
  }
  const view = output.isTerminal && !options.json ? new LiveView(engine, output) : null;
  const events = view?.events ?? (options.json ? jsonEvents(engine, output) : textEvents(output));
  let saidMode = engine.settings().mode;
  const { promise: lost, resolve: lose } = Promise.withResolvers<'lost'>();
  const supervisor = new Supervisor({
    observer: engine.observer,
    reaper: engine.reaper,
    settings: engine.settings,
    journalProblem: engine.journalProblem,
    rememberNotice: engine.rememberNotice,
    now: Date.now,
    events: logged(engine, {
      ...events,
      looked: (look) => {
        const { mode } = engine.settings();
        if (mode !== saidMode) supervision.lock.tell(mode);
        saidMode = mode;
        if (supervision.lock.stillHeld()) events.looked(look);
        else lose('lost');
      },
    }),
  });
  try {
    const refreshed = await keepRefreshed(engine);
    tidyUp(engine, output);
    if (engine.settings().mode === null) output.warn(`curfew: ${howToChoose}`);
    else if (view === null) output.warn(`curfew: watching (${engine.settings().mode}); Ctrl-C ends it`);
    supervisor.start();
    const why = await Promise.race([told, lost]);
    engine.log.info('ending', { why });
    await supervisor.stop();
    clearInterval(refreshed);
    if (why === 'lost')
      throw new NotDone(`${engine.places.lock} was removed, so another supervisor could start; this one ends`);
    return exitStatus.done;
  } finally {
    view?.close();
    supervision.lock.release();
    engine.close();
  }
};
