const asked = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves with the first signal that asks this process to end. What is being ended may then be
 * seen through. A second INT or TERM insists and ends it at once. A hang-up never insists: a closed
 * terminal sends two, one by the shell and one by the kernel (bash(1) SIGNALS, _exit(2)).
 */
export const untilTold = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let told = false;
    const hear = (signal: NodeJS.Signals): void => {
      resolve(signal);
      if (told && signal !== 'SIGHUP') {
        for (const each of asked) process.off(each, hear);
        process.kill(process.pid, signal);
      }
      told = true;
    };
    // They stay: what restores the terminal of a view (signal-exit) ends the process at a signal
    // that has no other listener.
    for (const signal of [...asked, 'SIGHUP'] as const) process.on(signal, hear);
  });
