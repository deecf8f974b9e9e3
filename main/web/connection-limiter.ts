import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** ConnectionLimiter that have not shown a session; a browser needs a handful. */
const maxUnauthenticated = 100;

/**
 * Keeps room for the person: of the connections that have not shown a session only so many stay open, and the oldest makes room, so
 * that whoever opens a thousand of them keeps nobody out.
 */
export class ConnectionLimiter {
  readonly #strangers = new Set<Socket>();

  /** Looks after the connections of a server. */
  guard(server: Server): void {
    server.on('connection', (socket) => {
      this.#strangers.add(socket);
      socket.once('close', () => this.#strangers.delete(socket));
      const [oldest] = this.#strangers;
      if (this.#strangers.size > maxUnauthenticated) oldest?.destroy();
    });
  }

  /** This one has shown a session: it stays. */
  trust(socket: Socket): void {
    this.#strangers.delete(socket);
  }
}
