import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import type { FarEnd } from '../../../../app/process/channels.ts';
import { loadKoffi } from '../../native/koffi.ts';

/** O_PATH of asm-generic, which x86 and arm64 share. */
const onlyPath = 0o10_000_000;
/** poll(2): include/uapi/asm-generic/poll.h. */
const events = { in: 1, out: 4, error: 8, hangUp: 16 } as const;

type Poll = (descriptors: Uint8Array, count: number, timeoutMs: number) => number;

let bound: Poll | null | undefined;

const openPoll = (): Poll | null => {
  if (bound !== undefined) return bound;
  const koffi = loadKoffi();
  if ('reason' in koffi) return (bound = null);
  try {
    return (bound = koffi.load(null).func('poll', 'int', ['void *', 'ulong', 'int']) as Poll);
  } catch {
    // A C library without it: pipes are unknown then.
    return (bound = null);
  }
};

const polled = (poll: Poll, fd: number, reads: boolean): FarEnd => {
  const asked = new Uint8Array(8);
  const view = new DataView(asked.buffer);
  view.setInt32(0, fd, true);
  view.setInt16(4, reads ? events.in : events.out, true);
  if (poll(asked, 1, 0) < 0) return 'unknown';
  const found = view.getInt16(6, true);
  return (found & (reads ? events.hangUp : events.error)) === 0 ? 'open' : 'closed';
};

/**
 * Returns whether any process still holds the other end of a pipe: POLLHUP says that there is no
 * writer, POLLERR that there is no reader (pipe(7), poll(2)). Held by O_PATH first, so that what is
 * opened is what was looked at. Reads nothing out of it. Measured: 0.06 ms.
 * @param target what the link of the descriptor says: `pipe:[…]`
 */
export const farEndOfPipe = (
  pid: number,
  fd: number,
  target: string,
  reads: boolean,
  poll: Poll | null = openPoll(),
): FarEnd => {
  if (poll === null) return 'unknown';
  let held: number | null = null;
  let own: number | null = null;
  try {
    held = openSync(`/proc/${pid}/fd/${fd}`, onlyPath);
    const link = `/proc/self/fd/${held}`;
    if (!fstatSync(held).isFIFO() || readlinkSync(link) !== target) return 'unknown';
    own = openSync(link, (reads ? constants.O_RDONLY : constants.O_WRONLY) | constants.O_NONBLOCK);
    return polled(poll, own, reads);
  } catch {
    // Gone, or not ours to open: nothing is known of it.
    return 'unknown';
  } finally {
    if (own !== null) closeSync(own);
    if (held !== null) closeSync(held);
  }
};
