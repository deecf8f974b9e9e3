import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';

/** How a program is asked something. */
export interface ExchangeOrder {
  readonly command: readonly [string, ...string[]];
  /** What it reads on standard input. */
  readonly input: Uint8Array;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** It is ended after so long, milliseconds. */
  readonly timeoutMs: number;
  /** It is ended when it writes more than that to standard output. */
  readonly maxBytes: number;
  /** It is ended when this is aborted. */
  readonly signal?: AbortSignal;
}

/** What it answered. */
export interface Exchange {
  /** What it wrote to standard output, up to the bound; also when it failed. */
  readonly answer: Buffer;
  /** What it wrote to standard error, at most 16 KiB. */
  readonly said: string;
  /** How it ended: `too-long`, `too-much` and `aborted` after it was ended for that; `not-started` mostly because there is no such program. */
  readonly end:
    | { readonly kind: 'exited'; readonly status: number }
    | { readonly kind: 'too-long' | 'too-much' | 'aborted' | 'not-started' };
}

const maxStderrBytes = 16_384;
/** From TERM to KILL, milliseconds. */
const graceMs = 1_000;
/** A program that stays behind in the background (the master of ssh's connections) may keep standard error open. */
const lastWordsMs = 200;

const bounded = (stream: Readable, maxBytes: number, tooMuch: () => void): (() => Buffer) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    const left = maxBytes - bytes;
    if (left > 0) chunks.push(chunk.subarray(0, left));
    bytes += chunk.length;
    if (chunk.length > left) tooMuch();
  });
  return () => Buffer.concat(chunks);
};

/**
 * Runs a program in a kernel session of its own, hands it its input and resolves with what it answered, bounded in time and size. Never rejects for what the
 * program does. Only the program itself is ended; what it left in the background on purpose stays.
 */
export const exchange = ({
  command,
  input,
  environment,
  timeoutMs,
  maxBytes,
  signal: abort,
}: ExchangeOrder): Promise<Exchange> =>
  new Promise((resolve) => {
    const [file, ...args] = command;
    // A session of its own: Ctrl-C in the terminal is for Curfew, which then ends in good order, and not for a question in the middle.
    const child = spawn(file, args, { detached: true, stdio: 'pipe', env: { ...environment } });
    let ended: 'too-long' | 'too-much' | 'aborted' | null = null;
    let kill: NodeJS.Timeout | undefined;
    let lastWords: NodeJS.Timeout | undefined;
    const end = (why: 'too-long' | 'too-much' | 'aborted'): void => {
      if (ended !== null) return;
      ended = why;
      child.kill('SIGTERM');
      kill = setTimeout(() => {
        child.kill('SIGKILL');
        // Something that it left behind may hold its standard output for ever.
        child.stdout.destroy();
      }, graceMs);
    };
    const timer = setTimeout(() => {
      end('too-long');
    }, timeoutMs);
    const aborted = (): void => {
      end('aborted');
    };
    if (abort?.aborted === true) aborted();
    else abort?.addEventListener('abort', aborted);
    const answer = bounded(child.stdout, maxBytes, () => {
      end('too-much');
    });
    const said = bounded(child.stderr, maxStderrBytes, () => undefined);
    const finish = (result: Exchange['end']): void => {
      clearTimeout(timer);
      abort?.removeEventListener('abort', aborted);
      clearTimeout(kill);
      clearTimeout(lastWords);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ answer: answer(), said: said().toString('utf8'), end: result });
    };
    child.on('error', () => {
      finish({ kind: 'not-started' });
    });
    let answered = false;
    let exit: Exchange['end'] | null = null;
    // The whole answer is waited for, however long it takes to read it; what was said besides only for a moment.
    const settle = (): void => {
      if (exit === null || !answered) return;
      const result = exit;
      if (child.stderr.closed) finish(result);
      // What has come by then is read first, also where this process got no turn for all of that time.
      else lastWords ??= setTimeout(() => setImmediate(finish, result), lastWordsMs);
    };
    child.stdout.on('close', () => {
      answered = true;
      settle();
    });
    child.stderr.on('close', settle);
    child.on('exit', (code, signal) => {
      const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
      exit = ended === null ? { kind: 'exited', status } : { kind: ended };
      settle();
    });
    // A program that ends without reading everything is told by its exit status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
