import { codeOf } from '../../../app/format/error-message.ts';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { boundOrNull } from '../native/koffi.ts';

/** Whether this process has a console, by Windows' own word; null: that can't be asked. */
export const ownConsole = (): boolean | null => {
  if (process.platform !== 'win32') return null;
  return boundOrNull((koffi) => {
    const list = koffi.load('kernel32.dll').func('__stdcall', 'GetConsoleProcessList', 'uint32', ['void *', 'uint32']);
    const count: unknown = list(new Uint32Array(1), 1);
    return count !== 0;
  });
};

/** A process's terminal: none, one of this device number, or one whose number is untold. */
export type OwnTerminal = 'none' | 'some' | number;

/** Device numbers of /dev/console. */
const consoles: readonly number[] = [0x501, 0];

/** Returns this process's terminal, by what it has open; null where there are no such files. */
export const ownTerminal = (): OwnTerminal | null => {
  if (process.platform === 'win32') return null;
  try {
    closeSync(openSync('/dev/tty', 'r'));
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENXIO' ? 'none' : null;
  }
  // A descriptor may be of another terminal; all three together are of its own, unless they are the
  // console, which stands for another device (5:1 on Linux, 0:0 on macOS).
  const devices = new Set([0, 1, 2].map((fd) => (isatty(fd) ? fstatSync(fd).rdev : null)));
  const [device = null] = devices;
  return devices.size === 1 && device !== null && !consoles.includes(device) ? device : 'some';
};
