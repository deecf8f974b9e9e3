import { closeSync, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { devNull } from 'node:os';
import { openPipe } from '../../os/pipe.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { withTimeout } from './follow.ts';

export interface OutputCopy {
  readonly from: Socket;
  readonly to: number;
}

export interface RunStreams {
  /** The descriptors that the command gets. */
  readonly stdio: readonly [number, number, number];
  readonly copies: readonly OutputCopy[];
  /** Closes our copies of the command's descriptors; called after the start. */
  closeOurs(): void;
  /** Waits until everything is copied, at most `maxMs` (null: no bound). */
  drain(copying: readonly Promise<void>[], maxMs: number | null): Promise<void>;
  /** Returns the bytes of output so far; null if they do not pass through us. */
  outputBytes(): number | null;
}

interface Plan {
  readonly input: number;
  readonly targets: readonly [number, number];
  /** Opened for the command only. */
  readonly opened: readonly number[];
  readonly watched: boolean;
  readonly outputBytes: () => number | null;
}

const drain: RunStreams['drain'] = (copying, maxMs) => withTimeout(Promise.all(copying), maxMs);

const streamsOf = ({ input, targets, opened, watched, outputBytes }: Plan): RunStreams => {
  const close = (fds: readonly number[]): void => fds.forEach((fd) => closeSync(fd));
  if (!watched) return { stdio: [input, ...targets], copies: [], closeOurs: () => close(opened), drain, outputBytes };
  const pipes = targets.map((to) => ({ to, ends: openPipe() }));
  const [out, error] = pipes.map(({ ends }) => ends.write);
  return {
    stdio: [input, out ?? targets[0], error ?? targets[1]],
    copies: pipes.map(({ to, ends }) => ({ to, from: new Socket({ fd: ends.read, readable: true, writable: false }) })),
    closeOurs: () => close([...pipes.map(({ ends }) => ends.write), ...opened.filter((fd) => !targets.includes(fd))]),
    drain,
    outputBytes,
  };
};

/**
 * Returns the streams of a foreground run: our own, inherited, so nothing stands between command
 * and reader. `watched` puts a pipe in between; the command then sees no terminal. `toError`: our
 * standard output is kept for the document of --json.
 */
export const foregroundStreams = (options: { readonly watched: boolean; readonly toError: boolean }): RunStreams =>
  streamsOf({
    input: 0,
    targets: [options.toError ? 2 : 1, 2],
    opened: [],
    watched: options.watched,
    outputBytes: () => null,
  });

const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Returns the streams of a background run: no input, and one file each for output and errors.
 * @throws the file system's error
 */
export const backgroundStreams = (folder: RunFolder, watched: boolean): RunStreams => {
  const input = openSync(devNull, 'r');
  const out = openSync(folder.stdout, 'a', 0o600);
  const error = openSync(folder.stderr, 'a', 0o600);
  return streamsOf({
    input,
    targets: [out, error],
    opened: [input, out, error],
    watched,
    outputBytes: () => bytesOf(folder.stdout) + bytesOf(folder.stderr),
  });
};
