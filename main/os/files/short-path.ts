import { boundOrNull } from '../native/koffi.ts';

/** The longest path that the call takes, UTF-16 units. */
const maxUnits = 32_768;

/**
 * Returns the short path of what is there (`C:\PROGRA~1\nodejs`); null where the
 * drive keeps none, and elsewhere than on Windows. Where a folder has no short name, its long one
 * stays in it.
 * https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-getshortpathnamew
 */
export const shortPathOf = (path: string): string | null => {
  if (process.platform !== 'win32') return null;
  return boundOrNull((koffi) => {
    const ask = koffi
      .load('kernel32.dll')
      .func('__stdcall', 'GetShortPathNameW', 'uint32', ['str16', 'void *', 'uint32']);
    const room = Buffer.alloc(maxUnits * 2);
    const units: unknown = ask(path, room, maxUnits);
    return typeof units !== 'number' || units === 0 || units >= maxUnits
      ? null
      : room.toString('utf16le', 0, units * 2);
  });
};
