import { incidentView } from '../../../app/contract/incident-view-of.ts';
import { jobView } from '../../../app/contract/job-view-of.ts';
import { english } from '../../../app/text/english.ts';
import type { SupervisorEvents } from '../../supervisor/supervisor-tools.ts';
import { HomeSupervision, SupervisionTaken } from '../../supervisor/supervise.ts';
import type { Engine } from '../../supervisor/engine.ts';
import type { ExitStatus } from '../exit-status.ts';
import { exitStatus, NotDone } from '../exit-status.ts';
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

const untilTold = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });

const open = (options: WatchOptions, output: Output): HomeSupervision => {
  try {
    return HomeSupervision.open({
      what: 'watch',
      uid: options.uid,
      warn: output.warn,
      ...(options.mode === null ? {} : { mode: options.mode }),
    });
  } catch (error) {
    if (error instanceof SupervisionTaken) throw new NotDone(error.message, { cause: error });
    throw error;
  }
};

/** `curfew watch`: the supervisor in the foreground until it is told to end. */
export const watch = async (options: WatchOptions, output: Output): Promise<ExitStatus> => {
  const told = untilTold();
  const supervision = open(options, output);
  const { engine } = supervision;
  const view = output.isTerminal && !options.json ? new LiveView(engine, output) : null;
  const events = view?.events ?? (options.json ? jsonEvents(engine, output) : textEvents(output));
  const lost = supervision.lost.then((problem) => new NotDone(problem));
  try {
    await supervision.begin(events, output.warn);
    if (engine.settings().mode === null) output.warn(`curfew: ${howToChoose}`);
    else if (view === null) output.warn(`curfew: watching (${engine.settings().mode}); Ctrl-C ends it`);
    const why = await Promise.race([told, lost]);
    await supervision.end(why instanceof NotDone ? 'lost' : why);
    if (why instanceof NotDone) throw why;
    return exitStatus.done;
  } finally {
    view?.close();
    await supervision.end('failed');
  }
};
