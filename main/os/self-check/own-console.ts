import { loadKoffi } from '../native/koffi.ts';

/** Whether this process has a console, by Windows' own word; null: that can't be asked. */
export const ownConsole = (): boolean | null => {
  if (process.platform !== 'win32') return null;
  const koffi = loadKoffi();
  if ('reason' in koffi) return null;
  try {
    const list = koffi.load('kernel32.dll').func('__stdcall', 'GetConsoleProcessList', 'uint32', ['void *', 'uint32']);
    const count: unknown = list(new Uint32Array(1), 1);
    return count !== 0;
  } catch {
    return null;
  }
};
