import { words } from '../../common/words.ts';
import type { Said } from '../../../../app/format/said.ts';
import { say, saidOf } from '../../../../app/text/say.ts';
import { homedir } from 'node:os';
import { placesHere } from '../../../store/places.ts';
import { failure } from '../../../../app/contract/answer.ts';
import { openService } from '../../../interface/service.ts';
import type { CurfewService } from '../../../interface/curfew-service.ts';
import type { Surface } from '../../../interface/answers/surface.ts';
import { SupervisionTaken } from '../../../home/watch-session.ts';
import { type ExitStatus, exitStatus, NotDone } from '../../common/exit-status.ts';
import { openMetrics, type OpenMetrics } from '../../common/open-metrics.ts';
import type { Output } from '../../common/output.ts';
import { openView, type OpenView } from './view/open-view.tsx';
import type { WatchOptions } from './watch-options.ts';

const notHere = { ok: false, failure: failure('unsupported', say('The terminal view doesn’t do this.')) } as const;

/** What the terminal view can do: nothing but show and ask the supervisor. */
const terminalSurface: Surface = {
  kind: 'terminal',
  open: () => notHere,
  copy: () => notHere,
  openPath: async () => notHere,
  openPort: async () => notHere,
  shortcut: () => 'unsupported',
  quit: () => notHere,
  save: () => Promise.resolve(notHere),
  autostart: null,
};

const open = async (options: WatchOptions, warn: Output['warn']): Promise<CurfewService> => {
  try {
    return await openService({
      what: 'watch',
      surface: terminalSurface,
      uid: options.uid,
      warn,
      ...(options.mode === null ? {} : { mode: options.mode }),
      ...(options.incidents === null ? {} : { lines: options.incidents }),
    });
  } catch (error) {
    if (error instanceof SupervisionTaken) throw new NotDone(saidOf(error), { cause: error });
    throw error;
  }
};

/**
 * `curfew watch` on a terminal: the supervisor with a view of its jobs, until the user ends it or
 * it gets a signal.
 * @param told resolves when it got a signal
 * @throws NotDone when another supervisor runs, or this one was removed
 */
export const watchInView = async (
  options: WatchOptions,
  output: Output,
  told: Promise<unknown>,
): Promise<ExitStatus> => {
  let view: OpenView | null = null;
  const said: string[] = [];
  const warn = (problem: Said): void => {
    const text = words(problem);
    if (view === null) said.push(text);
    else view.say(text);
  };
  const service = await open(options, warn);
  const { promise: lost, resolve: lose } = Promise.withResolvers<NotDone>();
  let happened: readonly string[] = [];
  let metrics: OpenMetrics | null = null;
  try {
    metrics = await openMetrics(options.metricsPort, placesHere(homedir()), warn);
    service.subscribe((event) => {
      if (event.kind === 'lost') lose(new NotDone(event.problem));
    }, 'moments');
    const opened = openView(service, output);
    view = opened;
    for (const text of said.splice(0)) opened.say(text);
    const why = await Promise.race([told, lost, opened.quit]);
    opened.finish();
    await service.stop();
    if (why instanceof NotDone) throw why;
    return exitStatus.done;
  } finally {
    try {
      await service.stop();
    } finally {
      happened = view?.close() ?? [];
      view = null;
      await metrics?.close();
      for (const line of [...said, ...happened]) await output.write(`${line}\n`);
    }
  }
};
