import { worded } from '../../common/words.ts';
import { saidOf } from '../../../../app/text/say.ts';
import { WatchSession, SupervisionTaken } from '../../../home/watch-session.ts';
import { type ExitStatus, exitStatus, NotDone } from '../../common/exit-status.ts';
import type { Output } from '../../common/output.ts';
import { openMetrics, type OpenMetrics } from '../../common/open-metrics.ts';
import { untilTold } from '../../common/until-told.ts';
import { jsonEvents, textEvents } from './watch-events.ts';
import type { WatchOptions } from './watch-options.ts';

const howToChoose =
  'Curfew only observes until you choose: `curfew settings set mode enforce` lets it end what overstays, `curfew settings set mode observe` keeps it from doing so.';

const open = (options: WatchOptions, output: Output): WatchSession => {
  try {
    return WatchSession.open({
      what: 'watch',
      uid: options.uid,
      warn: output.warn,
      ...(options.mode === null ? {} : { mode: options.mode }),
      ...(options.incidents === null ? {} : { lines: options.incidents }),
    });
  } catch (error) {
    if (error instanceof SupervisionTaken) throw new NotDone(saidOf(error), { cause: error });
    throw error;
  }
};

/** Warnings still go to standard error. */
const withoutText = (output: Output): Output => ({ ...output, write: () => Promise.resolve() });

/** A view needs a terminal that it can move around in, and keys. */
const canShowView = (output: Output): boolean =>
  output.isTerminal && process.stdin.isTTY && process.env['TERM'] !== 'dumb';

/** `curfew watch`: the supervisor in the foreground. A view on a terminal, lines elsewhere. */
export const watch = async (options: WatchOptions, output: Output): Promise<ExitStatus> => {
  const told = untilTold();
  // Standard output is theirs alone.
  const onlyLines = options.incidents === 'stdout';
  if (!options.json && !onlyLines && canShowView(output)) {
    const { watchInView } = await import('./watch-view.ts');
    return watchInView(options, output, told);
  }
  const supervision = open(options, output);
  const { engine } = supervision;
  const listeners = options.json ? jsonEvents(engine, output) : textEvents(onlyLines ? withoutText(output) : output);
  const lost = supervision.lost.then((problem) => new NotDone(problem));
  let metrics: OpenMetrics | null = null;
  try {
    metrics = await openMetrics(options.metricsPort, engine.places, output.warn);
    await supervision.begin(listeners.eventsOf(), listeners.eventsOf, output.warn);
    if (engine.settings().mode === null) output.warn(`curfew: ${worded(howToChoose)}`);
    else output.warn(worded('curfew: watching ({mode}); Ctrl-C ends it', { mode: engine.settings().mode ?? '' }));
    const why = await Promise.race([told, lost]);
    await supervision.end(why instanceof NotDone ? 'lost' : why);
    if (why instanceof NotDone) throw why;
    return exitStatus.done;
  } finally {
    try {
      await supervision.end('failed');
    } finally {
      listeners.close();
      await metrics?.close();
    }
  }
};
