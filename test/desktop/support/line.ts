import { createConnection, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { DesktopEvent, DesktopOrder } from '../stand-in/events.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const revive = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'base64' in value
    ? Buffer.from(String(value.base64), 'base64')
    : value;

/** The connection to the stand-in's desktop: its events, and orders for it. */
export class DesktopLine {
  readonly told: DesktopEvent[] = [];
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #id = 0;
  /** The app has ended, or the test is over. */
  closed = false;

  private constructor(socket: Socket, listener: (event: DesktopEvent) => void) {
    this.#socket = socket;
    const lines = createInterface({ input: socket });
    // The socket emits its errors once more; `close` reports what became of the connection.
    lines.on('error', () => undefined);
    lines.on('line', (line) => {
      const said = JSON.parse(line, revive) as
        | { readonly event: DesktopEvent }
        | { readonly id: number; readonly value?: unknown; readonly error?: string };
      if ('event' in said) {
        this.told.push(said.event);
        listener(said.event);
        return;
      }
      const waiting = this.#waiting.get(said.id);
      this.#waiting.delete(said.id);
      if (said.error === undefined) waiting?.resolve(said.value);
      else waiting?.reject(new Error(said.error));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
      for (const { reject } of this.#waiting.values()) reject(new Error('the app ended before it answered'));
      this.#waiting.clear();
    });
  }

  /**
   * Connects to the socket; null if there is no listener yet: a socket is bound a moment before it
   * listens.
   */
  static open(path: string, listener: (event: DesktopEvent) => void): Promise<DesktopLine | null> {
    return new Promise((resolve) => {
      const socket = createConnection(path);
      socket.once('error', () => resolve(null));
      socket.once('connect', () => resolve(new DesktopLine(socket, listener)));
    });
  }

  /** Sends an order and resolves with its result. */
  order(order: DesktopOrder): Promise<unknown> {
    this.#id += 1;
    const id = this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.write(`${JSON.stringify({ id, order })}\n`);
    });
  }

  close(): void {
    this.closed = true;
    this.#socket.destroy();
  }
}
