import type * as Koffi from 'koffi';
import type { DarwinKernel } from './kernel.ts';

/** Bytes that the answer may have: of 4,095 windows. */
export const windowsRoom = 16_384;

/** What stands first in the answer. */
const hasSession = 1;

/**
 * Returns the call that lists windows, which is made of many: whether this process is in a session
 * with windows, and the pid of the owner of each. It leaves in `room` 1 and those pids, or 0 where
 * there is no such session, and returns how many bytes these are, -1 where there is no list. Owners
 * and sizes need no permission of the user, unlike names and pictures.
 *
 * All windows are asked for: one that is minimised, or on another Space, is not on the screen, and
 * may hold unsaved work all the same. A window that is transparent or a single dot shows nothing.
 *
 * Its text is run in a thread, so it may refer to nothing outside of itself. Written from Apple's
 * headers (CGWindow.h, CGSession.h, CFNumber.h) and not run on a Mac yet.
 */
export const bindWindows = (koffi: Pick<typeof Koffi, 'load'>): ((room: Buffer) => number) => {
  const frameworks = '/System/Library/Frameworks';
  const graphics = koffi.load(`${frameworks}/CoreGraphics.framework/CoreGraphics`);
  const foundation = koffi.load(`${frameworks}/CoreFoundation.framework/CoreFoundation`);
  const objects = koffi.load('/usr/lib/libobjc.A.dylib');
  const pushPool = objects.func('objc_autoreleasePoolPush', 'void *', []);
  const popPool = objects.func('objc_autoreleasePoolPop', 'void', ['void *']);
  const session = graphics.func('CGSessionCopyCurrentDictionary', 'void *', []);
  const list = graphics.func('CGWindowListCopyWindowInfo', 'void *', ['uint32_t', 'uint32_t']);
  const release = foundation.func('CFRelease', 'void', ['void *']);
  const text = foundation.func('CFStringCreateWithCString', 'void *', ['void *', 'str', 'uint32_t']);
  const count = foundation.func('CFArrayGetCount', 'int64_t', ['void *']);
  const at = foundation.func('CFArrayGetValueAtIndex', 'void *', ['void *', 'int64_t']);
  const valueOf = foundation.func('CFDictionaryGetValue', 'void *', ['void *', 'void *']);
  const numberOf = foundation.func('CFNumberGetValue', 'uint8_t', ['void *', 'int64_t', 'void *']);
  const utf8 = 0x0800_0100;
  const keyOf = (name: string): unknown => text(null, name, utf8);
  const keys = {
    owner: keyOf('kCGWindowOwnerPID'),
    alpha: keyOf('kCGWindowAlpha'),
    bounds: keyOf('kCGWindowBounds'),
    width: keyOf('Width'),
    height: keyOf('Height'),
  };
  const isNull = (pointer: unknown): boolean => pointer === null || pointer === 0n || pointer === undefined;
  if (Object.values(keys).some(isNull)) throw new Error('no text could be made');
  const doubleType = 6;
  const number = new Float64Array(1);
  /** Null: it is not told. */
  const figure = (dictionary: unknown, key: unknown): number | null => {
    const value: unknown = isNull(dictionary) ? null : valueOf(dictionary, key);
    return isNull(value) || numberOf(value, doubleType, number) === 0 ? null : (number[0] ?? null);
  };
  const isShown = (window: unknown): boolean => {
    const bounds: unknown = valueOf(window, keys.bounds);
    const sizes = [figure(bounds, keys.width), figure(bounds, keys.height)];
    return figure(window, keys.alpha) !== 0 && !sizes.some((size) => size !== null && size <= 1);
  };
  const excludesDesktop = 16;
  const fill = (room: Buffer): number => {
    const own: unknown = session();
    room.writeInt32LE(isNull(own) ? 0 : 1, 0);
    if (isNull(own)) return 4;
    release(own);
    const found: unknown = list(excludesDesktop, 0);
    if (isNull(found)) return -1;
    try {
      const owners = new Set<number>();
      const all = Number(count(found));
      for (let index = 0; index < all; index += 1) {
        const window: unknown = at(found, index);
        const owner = isNull(window) ? null : figure(window, keys.owner);
        if (owner === null || !Number.isInteger(owner) || owner <= 0) return -1;
        if (isShown(window)) owners.add(owner);
      }
      if (4 + 4 * owners.size > room.length) return -1;
      [...owners].forEach((owner, index) => room.writeInt32LE(owner, 4 + 4 * index));
      return 4 + 4 * owners.size;
    } finally {
      release(found);
    }
  };
  return (room) => {
    const pool: unknown = pushPool();
    try {
      return fill(room);
    } finally {
      popPool(pool);
    }
  };
};

/** The owners of windows; `no-session`: this process has no such session; `unknown`: no list. */
export type ListedWindows = ReadonlySet<number> | 'no-session' | 'unknown';

/** Asks the kernel for the owners of windows. */
export const listWindows = (kernel: Pick<DarwinKernel, 'windows'>): ListedWindows => {
  const { bytes, errno } = kernel.windows(windowsRoom);
  if (errno !== 0 || bytes.length < 4 || bytes.length % 4 !== 0) return 'unknown';
  const [first, ...owners] = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32LE(4 * index));
  if (first === 0 && owners.length === 0) return 'no-session';
  return first === hasSession && owners.every((owner) => owner > 0) ? new Set(owners) : 'unknown';
};
