import { createServer } from 'node:net';

const listensOn = (port: number, host: string): Promise<'free' | 'taken' | 'unknown'> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' ? 'taken' : 'unknown'));
    server.listen({ port, host, exclusive: true, ipv6Only: true }, () => server.close(() => resolve('free')));
  });

/** On Linux the first two tell all; elsewhere a server on one address does not keep another. */
const hosts = ['0.0.0.0', '::', '127.0.0.1', '::1'];

/**
 * Returns whether a server could listen on a TCP port now, on every address of this machine: tried
 * by listening for a moment. A family of addresses that the machine lacks keeps nothing from it.
 */
export const canListen = async (port: number): Promise<boolean> => {
  let isFree = false;
  for (const host of hosts) {
    const found = await listensOn(port, host);
    if (found === 'taken') return false;
    isFree ||= found === 'free';
  }
  return isFree;
};
