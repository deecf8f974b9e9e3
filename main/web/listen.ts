import { codeOf } from '../../app/format/error-message.ts';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections without a session; a browser needs a handful. */
const maxUnauthenticated = 100;

/**
 * Limits connections without a session: beyond `maxUnauthenticated` the oldest is closed, so that a
 * program that opens a thousand can't lock out the user.
 */
export class ConnectionLimiter {
  readonly #strangers = new Set<Socket>();

  /** Limits the connections of a server. */
  guard(server: Server): void {
    server.on('connection', (socket) => {
      this.#strangers.add(socket);
      socket.once('close', () => this.#strangers.delete(socket));
      const [oldest] = this.#strangers;
      if (this.#strangers.size > maxUnauthenticated) oldest?.destroy();
    });
  }

  /** Exempts a connection that has shown a session. */
  trust(socket: Socket): void {
    this.#strangers.delete(socket);
  }
}

/** The port is not available; the message says so, for people. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/** The two listening sockets of a server, on IPv4 and IPv6 with one port. */
export interface Listening {
  readonly port: number;
  readonly connections: ConnectionLimiter;
  /** Accepts no new connections; existing ones end within a second. */
  readonly close: () => Promise<void>;
}

/** What an unauthenticated client may cost. Milliseconds and bytes. */
const limits = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
} as const;

/** Connections of both sockets together, streams of events included. */
const maxConnectionCount = 256;
/** Attempts at a port that is free on both addresses. */
const attempts = 10;

const open = async (host: string, port: number, listener: RequestListener): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(limits, listener);
    server.maxConnections = maxConnectionCount;
    server.once('error', reject);
    // Never `localhost`: a name could resolve elsewhere. `ipv6Only` keeps ::1 from accepting IPv4.
    server.listen({ host, port, exclusive: true, ipv6Only: true }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

/** Listens on the same port of ::1; null if this machine has no IPv6. */
const second = async (port: number, listener: RequestListener): Promise<Server | null> => {
  try {
    return await open('::1', port, listener);
  } catch (error) {
    if (codeOf(error) === 'EADDRNOTAVAIL' || codeOf(error) === 'EAFNOSUPPORT') return null;
    throw error;
  }
};

const closing = async (server: Server): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  // An ending stream leaves its connection idle a moment later.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const impatient = setTimeout(() => server.closeAllConnections(), 1000);
  await promise;
  clearInterval(idle);
  clearTimeout(impatient);
};

/** Opens both or throws, with nothing left open. */
const pair = async (port: number, listener: RequestListener): Promise<Server[]> => {
  const first = await open('127.0.0.1', port, listener);
  try {
    const other = await second(portOf(first), listener);
    return other === null ? [first] : [first, other];
  } catch (error) {
    first.close();
    throw error;
  }
};

/**
 * Listens on 127.0.0.1 and ::1 only, on the same port. Port 0 is a free one.
 * @param option names the port on the command line
 * @throws PortTaken when the port is not available, and the system's error otherwise
 */
export const listen = async (port: number, listener: RequestListener, option = '--port'): Promise<Listening> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const servers = await pair(port, listener);
      const connections = new ConnectionLimiter();
      for (const server of servers) connections.guard(server);
      const [first] = servers;
      if (first === undefined) throw new Error('no server');
      return {
        port: portOf(first),
        connections,
        close: async () => void (await Promise.all(servers.map(closing))),
      };
    } catch (error) {
      const code = codeOf(error);
      // A port that is free on 127.0.0.1 may be taken on ::1: try another.
      if (code === 'EADDRINUSE' && port === 0 && attempt < attempts) continue;
      if (code === 'EADDRINUSE')
        throw new PortTaken(`port ${port} is taken by another program; name another one with ${option}, or 0 for any`, {
          cause: error,
        });
      if (code === 'EACCES')
        throw new PortTaken(`port ${port} is not for ordinary programs; name one from 1024 on with ${option}`, {
          cause: error,
        });
      throw error;
    }
  }
};
