import type { Server } from 'node:http';
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
