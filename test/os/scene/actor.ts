import { existsSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import type { Identity } from './processes.ts';

/** End of a process: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number;
  readonly signal: number;
}

/** An absolute path as seen inside the scene. */
export type ScenePath = `/${string}`;

/**
 * Target of a file descriptor of a started program: a path, or a pipe or socket whose other end the
 * starting actor keeps.
 */
export type Descriptor = ScenePath | 'pipe' | 'socket' | 'inherit';

/** A program to start. `argv` is exactly what the process table will show, whatever `file` is. */
export interface Program {
  readonly file: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly setsid?: boolean;
  readonly setpgid?: boolean;
  readonly uid?: number;
  readonly ignore?: readonly string[];
  readonly fds?: Readonly<Partial<Record<0 | 1 | 2, Descriptor>>>;
  /** Required pid; the start fails if the kernel assigns another one. */
  readonly pid?: number;
}

type Order =
  | ({ readonly do: 'spawn' } & Program)
  | { readonly do: 'wait'; readonly pid: number }
  | { readonly do: 'kill'; readonly pid: number; readonly signal: string }
  | { readonly do: 'open' | 'chdir'; readonly path: string }
  | { readonly do: 'listen'; readonly port: number }
  | { readonly do: 'release'; readonly pid?: number; readonly fd?: 0 | 1 | 2 }
  | { readonly do: 'exit'; readonly code: number };

/**
 * A process of the scene that takes orders (see fixtures/actor.pl). `pid` is its number inside the
 * scene. Every method throws with the actor's message if it fails.
 */
export class Actor {
  readonly pid: number;
  readonly #socket: string;

  /**
   * @param socket path of its control socket as the test sees it, through the scene's root folder.
   */
  constructor(pid: number, socket: string) {
    this.pid = pid;
    this.#socket = socket;
  }

  /**
   * Starts a program as this actor's child; returns its pid once the program itself runs (after the
   * exec).
   */
  async start(program: Program): Promise<number> {
    return (await this.begin(program)).pid;
  }

  /** Like `start`, with the start time, even of a program that has already ended. */
  async begin(program: Program): Promise<Identity> {
    return (await this.#tell({ do: 'spawn', ...program })) as Identity;
  }

  /** Waits for the end of a program that this actor started. */
  async ended(pid: number): Promise<Ending> {
    return (await this.#tell({ do: 'wait', pid })) as Ending;
  }

  /** Sends a signal by name (without SIG). */
  async signal(pid: number, signal: string): Promise<void> {
    await this.#tell({ do: 'kill', pid, signal });
  }

  /** Opens a file or folder and keeps it open. */
  async holdOpen(path: string): Promise<void> {
    await this.#tell({ do: 'open', path });
  }

  /** Listens on a port of the scene's own loopback. */
  async listen(port: number): Promise<void> {
    await this.#tell({ do: 'listen', port });
  }

  /** Closes everything it holds: files, folders, ports, its ends of pipes. */
  async release(): Promise<void> {
    await this.#tell({ do: 'release' });
  }

  /** Closes its end of one pipe or socket of a program that it started. */
  async closeEnd(pid: number, fd: 0 | 1 | 2): Promise<void> {
    await this.#tell({ do: 'release', pid, fd });
  }

  /** Changes its working folder. */
  async moveTo(path: string): Promise<void> {
    await this.#tell({ do: 'chdir', path });
  }

  /** Signals that it received, in order. */
  signals(): readonly string[] {
    const diary = `${this.#socket}.diary`;
    return existsSync(diary) ? readFileSync(diary, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Makes it exit. */
  async exit(code = 0): Promise<void> {
    await this.#tell({ do: 'exit', code });
  }

  #tell(order: Order): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const connection = createConnection(this.#socket);
      let text = '';
      connection.setEncoding('utf8');
      connection.on('connect', () => connection.write(`${JSON.stringify(order)}\n`));
      connection.on('data', (chunk: string) => {
        text += chunk;
        if (text.endsWith('\n')) connection.end();
      });
      connection.on('error', reject);
      connection.on('close', () => {
        if (text === '') return reject(new Error(`actor ${this.pid} ended instead of answering ${order.do}`));
        const answer = JSON.parse(text) as { error?: string };
        if (answer.error === undefined) resolve(answer);
        else reject(new Error(`actor ${this.pid}, told to ${order.do}: ${answer.error.trim()}`));
      });
    });
  }
}
