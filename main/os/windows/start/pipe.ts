import { loadKoffi } from '../../native/koffi.ts';

type Native = (...args: readonly unknown[]) => number;

/** Returns a pipe's ends as Node's descriptors, or why none. Not inherited: commands get copies. */
export const makePipe = (): { readonly read: number; readonly write: number } | { readonly reason: string } => {
  const koffi = loadKoffi();
  if ('reason' in koffi) return koffi;
  const outHandle = koffi.out(koffi.pointer('int64'));
  const create = koffi
    .load('kernel32.dll')
    .func('__stdcall', 'CreatePipe', 'int', [outHandle, outHandle, 'void *', 'uint32']) as Native;
  // node.exe exports libuv, whose descriptors are those of Node.
  const descriptorOf = koffi.load(process.execPath).func('int uv_open_osfhandle(int64)') as Native;
  const read = [0];
  const write = [0];
  if (create(read, write, null, 0) === 0) return { reason: 'Windows made no pipe' };
  return { read: descriptorOf(read[0]), write: descriptorOf(write[0]) };
};
