/** At most this many bytes of an agent's input are read. */
const maxBytes = 4 * 1024 * 1024;

/** Returns standard input; empty if it is a terminal. */
export const standardInput = async (): Promise<string> => {
  if (process.stdin.isTTY) return '';
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8');
};

/**
 * Resolves once standard input has ended: the process at its other end is gone, or has closed it.
 * What comes is not kept, and waiting for it keeps no process alive.
 */
export const inputEnded = (): Promise<'input ended'> =>
  new Promise((resolve) => {
    const hear = (): void => resolve('input ended');
    process.stdin.on('end', hear);
    process.stdin.on('close', hear);
    // A reset is an end as well.
    process.stdin.on('error', hear);
    process.stdin.resume();
    // A file has no such handle, and ends at once.
    if ('unref' in process.stdin) process.stdin.unref();
  });
