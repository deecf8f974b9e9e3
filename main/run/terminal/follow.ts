import { closeSync, constants, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openRegularFile } from '../../os/files/own-file.ts';

/** Waits for a promise for at most `maxMs` (null: unbounded). Leaves no timer behind. */
export const withTimeout = async (promise: Promise<unknown>, maxMs: number | null): Promise<void> => {
  if (maxMs === null) {
    await promise;
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** One of the two output streams of a background run. */
export type LogStream = 'stdout' | 'stderr';

export interface FollowOptions {
  readonly files: readonly { readonly stream: LogStream; readonly path: string }[];
  /** Whether to wait for more. */
  readonly follow: boolean;
  /** Returns true when nothing more will come. */
  readonly isOver: () => boolean;
  /** Writes bytes; the next are read when it resolves. */
  readonly write: (stream: LogStream, bytes: Uint8Array) => Promise<void>;
}

/** Ms between two reads: file watching misses changes on network file systems. */
const pauseMs = 100;

/**
 * Copies the logs of a run, and with `follow` what is added until the run is over. Bytes stay as
 * they are, in the order of each file.
 * @throws the file system's error
 */
export const followLogs = async ({ files, follow, isOver, write }: FollowOptions): Promise<void> => {
  const open = files.map(({ stream, path }) => ({ stream, fd: openRegularFile(path, constants.O_RDONLY) }));
  const buffer = Buffer.allocUnsafe(65_536);
  const readAll = async (): Promise<void> => {
    for (const { stream, fd } of open) {
      for (;;) {
        const count = readSync(fd, buffer, 0, buffer.length, null);
        if (count === 0) break;
        await write(stream, Buffer.from(buffer.subarray(0, count)));
      }
    }
  };
  try {
    for (;;) {
      // Checked before reading, so that the final output is read after it.
      const over = !follow || isOver();
      await readAll();
      if (over) return;
      await sleep(pauseMs);
    }
  } finally {
    for (const { fd } of open) closeSync(fd);
  }
};
