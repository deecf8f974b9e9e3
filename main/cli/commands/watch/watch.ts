import { WatchSession, SupervisionTaken } from '../../../home/watch-session.ts';
import type { ExitStatus } from '../../common/exit-status.ts';
import { exitStatus, NotDone } from '../../common/exit-status.ts';
import { LiveView } from './live-view.ts';
import type { Output } from '../../common/output.ts';
import { jsonEvents, textEvents } from './watch-events.ts';

/** Options of `curfew watch`, checked. */
export interface WatchOptions {
  readonly json: boolean;
  readonly mode: 'enforce' | 'observe' | null;
  readonly uid: number | null;
}

const howToChoose =
  'Curfew only observes until you choose: `curfew settings set mode enforce` lets it end what overstays, `curfew settings set mode observe` keeps it from doing so.';

const untilTold = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });

const open = (options: WatchOptions, output: Output): WatchSession => {
  try {
    return WatchSession.open({
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

/** `curfew watch`: the supervisor in the foreground until it gets a signal. */
export const watch = async (options: WatchOptions, output: Output): Promise<ExitStatus> => {
  const told = untilTold();
  const supervision = open(options, output);
  const { engine } = supervision;
  const view = output.isTerminal && !options.json ? new LiveView(engine, output) : null;
  const listeners = view ?? (options.json ? jsonEvents(engine, output) : textEvents(output));
  const lost = supervision.lost.then((problem) => new NotDone(problem));
  try {
    await supervision.begin(listeners.events, listeners.hostEvents, output.warn);
    if (engine.settings().mode === null) output.warn(`curfew: ${howToChoose}`);
    else if (view === null) output.warn(`curfew: watching (${engine.settings().mode}); Ctrl-C ends it`);
    const why = await Promise.race([told, lost]);
    await supervision.end(why instanceof NotDone ? 'lost' : why);
    if (why instanceof NotDone) throw why;
    return exitStatus.done;
  } finally {
    try {
      await supervision.end('failed');
    } finally {
      listeners.close();
    }
  }
};
