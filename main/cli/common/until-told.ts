import { constants } from 'node:os';

/**
 * Resolves with the first signal that asks this process to end. What is being ended may then be
 * seen through. A second INT or TERM insists: this process exits at once, as if by that signal. A
 * hang-up never insists: a closed terminal sends two, one by the shell and one by the kernel
 * (bash(1) SIGNALS, _exit(2)).
 */
export const untilTold = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let told = false;
    const hear = (signal: NodeJS.Signals): void => {
      resolve(signal);
      if (told && signal !== 'SIGHUP') process.exit(128 + constants.signals[signal]);
      told = true;
    };
    // They stay: what restores the terminal of a view (signal-exit) ends the process at a signal
    // that has no other listener.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
  });
