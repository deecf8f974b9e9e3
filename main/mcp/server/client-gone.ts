/**
 * How often the parent is asked for, milliseconds: where another process holds the client's end
 * open, only this tells that the client has ended.
 */
const parentEveryMs = 5_000;

/**
 * Resolves once the client is gone: its end of standard input has closed, or the process that
 * started this one has ended. So no server is left
 * behind, which Curfew itself would have to end.
 */
export const clientGone = (): Promise<void> =>
  new Promise((resolve) => {
    const parent = process.ppid;
    const { stdin } = process;
    const timer = setInterval(() => {
      if (process.ppid !== parent) gone();
    }, parentEveryMs);
    const gone = (): void => {
      clearInterval(timer);
      resolve();
    };
    for (const event of ['end', 'close', 'error']) stdin.once(event, gone);
  });
