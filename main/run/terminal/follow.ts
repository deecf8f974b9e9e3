import { closeSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One of the two streams that a background run writes. */
export type LogStream = 'stdout' | 'stderr';

/** What is followed. */
export interface FollowOptions {
  readonly files: readonly { readonly stream: LogStream; readonly path: string }[];
  /** Whether to wait for more. */
  readonly follow: boolean;
  /** True when nothing more will come. */
  readonly isOver: () => boolean;
  /** Takes bytes; the next are read when it has. */
  readonly write: (stream: LogStream, bytes: Uint8Array) => Promise<void>;
}

/** Pause between two looks for more, milliseconds. Files are looked at, not watched: watching misses changes on network file systems. */
const pauseMs = 100;

/**
 * Hands on what is in the logs of a run, and with `follow` what is added, until it is over. Bytes go on as they are, in the order in which they were written to each file.
 * Throws the file system's error.
 */
export const followLogs = async ({ files, follow, isOver, write }: FollowOptions): Promise<void> => {
  const open = files.map(({ stream, path }) => ({ stream, fd: openSync(path, 'r') }));
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
      // Asked before reading: what was written until the end is then read after it.
      const over = !follow || isOver();
      await readAll();
      if (over) return;
      await sleep(pauseMs);
    }
  } finally {
    for (const { fd } of open) closeSync(fd);
  }
};
