import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { noWindow, notFromHere } from './child-window.ts';

export interface ExchangeOrder {
  readonly command: readonly [string, ...string[]];
  /** What it sees as its own name (argv[0]); left out, it is that of the command. */
  readonly calledAs?: string;
  readonly input: Uint8Array;
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds after which it is ended. */
  readonly timeoutMs: number;
  /** Upper bound of its standard output in bytes; it is ended beyond it. */
  readonly maxBytes: number;
  /** It is ended when this is aborted. */
  readonly signal?: AbortSignal;
}

export interface Exchange {
  /** Its standard output, up to the bound; also when it failed. */
  readonly answer: Buffer;
  /** Its standard error, at most 16 KiB. */
  readonly said: string;
  /** Its end: `too-long`, `too-much`, `aborted` by us; `not-started`: mostly no such program. */
  readonly end:
    | { readonly kind: 'exited'; readonly status: number }
    | { readonly kind: 'too-long' | 'too-much' | 'aborted' | 'not-started' };
}

const maxStderrBytes = 16_384;
/** From TERM to KILL, milliseconds. */
const graceMs = 1_000;
/** A background process it leaves (ssh's connection master) may keep standard error open. */
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
 * Runs a program in its own kernel session, writes its input and resolves with its answer, bounded
 * in time and size. Never rejects for a failure of the program. Ends only the program itself;
 * background processes that it left on purpose stay.
 */
export const exchange = ({
  command,
  calledAs,
  input,
  environment,
  timeoutMs,
  maxBytes,
  signal: abort,
}: ExchangeOrder): Promise<Exchange> =>
  new Promise((resolve) => {
    const [file, ...args] = command;
    // Its own session: Ctrl-C in the terminal is for Curfew, which then shuts down in order, and
    // must not cut off a query.
    const child = spawn(file, args, {
      detached: true,
      stdio: 'pipe',
      env: { ...environment },
      ...noWindow,
      ...notFromHere(file),
      ...(calledAs === undefined ? {} : { argv0: calledAs }),
    });
    let ended: 'too-long' | 'too-much' | 'aborted' | null = null;
    let kill: NodeJS.Timeout | undefined;
    let lastWords: NodeJS.Timeout | undefined;
    const end = (why: 'too-long' | 'too-much' | 'aborted'): void => {
      if (ended !== null) return;
      ended = why;
      child.kill('SIGTERM');
      kill = setTimeout(() => {
        child.kill('SIGKILL');
        // A process that it left may hold its standard output for ever.
        child.stdout.destroy();
      }, graceMs);
    };
    const timer = setTimeout(() => end('too-long'), timeoutMs);
    const aborted = (): void => end('aborted');
    if (abort?.aborted === true) aborted();
    else abort?.addEventListener('abort', aborted);
    const answer = bounded(child.stdout, maxBytes, () => end('too-much'));
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
    child.on('error', () => finish({ kind: 'not-started' }));
    let answered = false;
    let exit: Exchange['end'] | null = null;
    // The whole answer is read, however long that takes; standard error only for a moment longer.
    const settle = (): void => {
      if (exit === null || !answered) return;
      const result = exit;
      if (child.stderr.closed) finish(result);
      // Drain stderr once more: the timer may fire late on a busy machine.
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
    // EPIPE of a program that does not read its input; its exit status reports the failure.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
