import type * as Koffi from 'koffi';
import { expect, test } from 'vitest';
import { bindWindows, listWindows, windowsRoom } from '../../../../../main/os/darwin/kernel/windows.ts';

/** A window as the window server tells it. */
type Told = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

interface Answer {
  readonly session?: boolean;
  readonly windows?: readonly Told[] | null;
}

/** Stands in for the frameworks: a pointer is the place of a value, beginning at 1. */
const library = ({ session = true, windows = [] }: Answer) => {
  const values: unknown[] = [];
  const pointerTo = (value: unknown): bigint => BigInt(values.push(value));
  const at = (pointer: unknown): unknown => values[Number(pointer) - 1];
  let owned = 0;
  const keep = (value: unknown): bigint => {
    owned += 1;
    return pointerTo(value);
  };
  const calls: Readonly<Record<string, (...given: readonly unknown[]) => unknown>> = {
    objc_autoreleasePoolPush: () => keep('a pool'),
    objc_autoreleasePoolPop: () => void (owned -= 1),
    CFStringCreateWithCString: (_allocator, text) => pointerTo(text),
    CGSessionCopyCurrentDictionary: () => (session ? keep({}) : null),
    CGWindowListCopyWindowInfo: (options, relative) => {
      expect([options, relative]).toEqual([16, 0]);
      return windows === null ? null : keep(windows);
    },
    CFRelease: (pointer) => {
      expect(at(pointer)).toBeDefined();
      owned -= 1;
    },
    CFArrayGetCount: (pointer) => BigInt((at(pointer) as readonly unknown[]).length),
    CFArrayGetValueAtIndex: (pointer, index) => pointerTo((at(pointer) as readonly unknown[])[Number(index)]),
    CFDictionaryGetValue: (pointer, key) => {
      const value = (at(pointer) as Told)[String(at(key))];
      return value === undefined ? null : pointerTo(value);
    },
    CFNumberGetValue: (pointer, type, room) => {
      expect(type).toBe(6);
      (room as Float64Array)[0] = Number(at(pointer));
      return 1;
    },
  };
  const koffi = { load: () => ({ func: (name: string) => calls[name] }) } as unknown as Pick<typeof Koffi, 'load'>;
  return { koffi, owned: () => owned };
};

/** Returns what is understood of an answer, by way of the bytes. */
const listed = (answer: Answer, size = windowsRoom) => {
  const { koffi, owned } = library(answer);
  const room = Buffer.alloc(size);
  const length = bindWindows(koffi)(room);
  expect(owned()).toBe(0);
  return listWindows({
    windows: () => ({ bytes: room.subarray(0, Math.max(0, length)), errno: length < 0 ? -1 : 0 }),
  });
};

const told = (pid: number, more: Told = {}): Told => ({
  kCGWindowOwnerPID: pid,
  kCGWindowAlpha: 1,
  kCGWindowBounds: { X: -10, Y: 5, Width: 640, Height: 480 },
  ...more,
});

test('the owners of windows are read, each once, and everything is given back', () => {
  expect(listed({ windows: [told(410), told(77), told(410)] })).toEqual(new Set([410, 77]));
});

test('a window that is transparent or a dot shows nothing; one of which that is not told may', () => {
  const windows = [
    told(1, { kCGWindowAlpha: 0 }),
    told(2, { kCGWindowBounds: { Width: 1, Height: 1 } }),
    told(3, { kCGWindowBounds: {} }),
    { kCGWindowOwnerPID: 4 },
    told(5, { kCGWindowAlpha: 0.1 }),
  ];
  expect(listed({ windows })).toEqual(new Set([3, 4, 5]));
});

test('no session is told apart from a list that is not there', () => {
  expect(listed({ session: false })).toBe('no-session');
  expect(listed({ windows: null })).toBe('unknown');
  expect(listed({ windows: [] })).toEqual(new Set());
});

test('a list with a window of no known owner, or more windows than there is room for, is no list', () => {
  expect(listed({ windows: [told(410), { kCGWindowAlpha: 1 }] })).toBe('unknown');
  expect(listed({ windows: [told(-3)] })).toBe('unknown');
  expect(listed({ windows: [told(1), told(2)] }, 8)).toBe('unknown');
});

test('bytes that are no such answer are unknown', () => {
  const asked = (...words: readonly number[]) =>
    listWindows({ windows: () => ({ bytes: Buffer.from(new Int32Array(words).buffer), errno: 0 }) });
  expect(asked()).toBe('unknown');
  expect(asked(2)).toBe('unknown');
  expect(asked(0, 5)).toBe('unknown');
  expect(asked(1, -5)).toBe('unknown');
  expect(listWindows({ windows: () => ({ bytes: Buffer.alloc(5), errno: 0 }) })).toBe('unknown');
  expect(listWindows({ windows: () => ({ bytes: Buffer.alloc(0), errno: 60 }) })).toBe('unknown');
});
