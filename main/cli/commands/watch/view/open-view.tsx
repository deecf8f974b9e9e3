import { words, worded } from '../../../common/words.ts';
import { freedSaid, endingSaid } from '../../../../../app/text/outcomes.ts';
import { joined } from '../../../../../app/text/say.ts';
import { render } from 'ink';
import { answerQuestion } from '../../../../../app/contract/answerers.ts';
import type { IncidentView } from '../../../../../app/contract/views/incident-view.ts';
import { visibleText } from '../../../../../app/format/visible.ts';
import type { CurfewService } from '../../../../interface/curfew-service.ts';
import { type Output, shown, unlessHungUp } from '../../../common/output.ts';
import type { Effect } from './state.ts';
import { WatchView } from './watch-view.tsx';
import type { Toned } from './words.ts';

export interface OpenView {
  /** Resolves when the user asks to stop watching. */
  readonly quit: Promise<'quit'>;
  /** Adds a line to what happened. */
  readonly say: (text: string) => void;
  /** Says that what is being ended is seen through; from now on no key is taken. */
  readonly finish: () => void;
  /** Restores the terminal. Safe to call repeatedly. Returns what happened, for the terminal. */
  readonly close: () => readonly string[];
}

const maxHappened = 50;
const keptSeconds = 1800;

const time = (): string => new Date().toTimeString().slice(0, 8);

const endedWords = ({ command, outcome, freed }: IncidentView): Toned => {
  const what = freedSaid(freed);
  const ended = { time: time(), outcome: endingSaid(outcome), command: visibleText(command) };
  return {
    text:
      what === null
        ? worded('{time} {outcome}: {command}', ended)
        : worded('{time} {outcome}, freed {freed}: {command}', { ...ended, freed: what }),
    tone: outcome === 'survived' || outcome === 'interrupted' ? 'red' : outcome === 'spared' ? 'amber' : 'quiet',
  };
};

/**
 * The terminal behind the last check of what a command writes: no control character of a job's gets
 * there, only the sequences of the view itself.
 */
const checkedTerminal = (): NodeJS.WriteStream => {
  const { stdout } = process;
  const write = (text: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const done = rest.find((one): one is () => void => typeof one === 'function');
    return stdout.write(typeof text === 'string' ? shown(text, true, 'view') : text, () => done?.());
  };
  return new Proxy(stdout, {
    get: (target, name) => {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
};

/** Shows the service on the terminal until it is closed. The terminal is restored on every end. */
export const openView = (service: CurfewService, output: Pick<Output, 'colour'>): OpenView => {
  const { promise: quit, resolve: ask } = Promise.withResolvers<'quit'>();
  const listeners = new Set<() => void>();
  let happened: readonly Toned[] = [];
  let finishing: string | null = null;
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const add = (line: Toned): void => {
    happened = [...happened, line].slice(-maxHappened);
    changed();
  };
  const unsubscribe = service.subscribe((event) => {
    if (event.kind === 'ended') add(endedWords(event.incident));
    else if (event.kind === 'difference') changed();
  });
  const answer = async (name: string, input: unknown): Promise<string | null> => {
    const said = await answerQuestion(service.answerers, name, input, service.report);
    if (said.ok) return null;
    const { message, advice } = said.failure;
    return visibleText(words(advice === null ? message : joined(message, advice)));
  };
  const act = async (effect: Effect): Promise<string | null> => {
    switch (effect.kind) {
      case 'quit':
        ask('quit');
        return null;
      case 'end':
        return answer('job.reap', { job: effect.job, host: effect.host });
      case 'kill':
        return answer('job.killNow', { reaping: effect.reaping });
      case 'keep':
        return (
          (await answer('job.keep', { job: effect.job, host: effect.host, seconds: keptSeconds })) ??
          worded('Kept for 30 min, at most to its hard cap. K undoes it.')
        );
      case 'unkeep':
        return (await answer('job.unkeep', { job: effect.job, host: effect.host })) ?? worded('No longer kept.');
    }
  };
  const ports = {
    snapshot: service.snapshot,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    happened: () => happened,
    finishing: () => finishing,
    act,
    colour: output.colour,
  };
  process.stdin.on('error', unlessHungUp);
  const instance = render(<WatchView ports={ports} />, {
    stdout: checkedTerminal(),
    exitOnCtrlC: false,
    alternateScreen: true,
    incrementalRendering: true,
    // A terminal is a terminal, whatever the environment says of a CI.
    interactive: true,
    patchConsole: false,
    maxFps: 20,
  });
  let closed = false;
  const close = (): readonly string[] => {
    if (!closed) {
      closed = true;
      unsubscribe();
      process.off('uncaughtExceptionMonitor', close);
      instance.unmount();
    }
    return happened.map(({ text }) => text);
  };
  // Before Node prints what went wrong, so that it can be read.
  process.on('uncaughtExceptionMonitor', close);
  return {
    quit,
    say: (text) => add({ text: `${time()} ${visibleText(text)}`, tone: 'amber' }),
    finish: () => {
      finishing = worded('Stopping. What is being ended is seen through first.');
      changed();
    },
    close,
  };
};
