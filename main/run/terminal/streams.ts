import { closeSync, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { openPipe } from '../../os/pipe.ts';
import type { RunFolder } from '../record/run-folder.ts';
import { withTimeout } from './with-timeout.ts';

/** A stream of the command that is looked at before it goes on to its place. */
export interface OutputCopy {
  readonly from: Socket;
  readonly to: number;
}

/** Where a command's standard streams lead. */
export interface RunStreams {
  /** What the command gets. */
  readonly stdio: readonly [number, number, number];
  readonly copies: readonly OutputCopy[];
  /** Closes our copies of what only the command needs; called after the start. */
  closeOurs(): void;
  /** Waits until everything was passed on; where that may never be, for at most so many milliseconds. */
  drain(copying: readonly Promise<void>[], maxMs: number | null): Promise<void>;
  /** Bytes of output so far, null where they go past us. */
  outputBytes(): number | null;
}

interface Plan {
  readonly input: number;
  readonly targets: readonly [number, number];
  /** Opened for the command alone. */
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
 * The streams of a run in the foreground: our own, handed on, so that nothing stands between the command and whoever reads. `watched` puts a pipe in between, and the command
 * sees no terminal there any more. `toError`: our standard output is kept for the document of --json.
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

/** The streams of a run in the background: nothing to read, and a file each for output and errors. Throws the file system's error. */
export const backgroundStreams = (folder: RunFolder, watched: boolean): RunStreams => {
  const input = openSync('/dev/null', 'r');
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
