/**
 * What well-known statuses of Windows mean (ntstatus.h). A program ends with one when the system
 * ends it: https://learn.microsoft.com/openspecs/windows_protocols/ms-erref/596a1078-e883-4972-9bbc-49e60bebca55
 */
const meanings: ReadonlyMap<number, string> = new Map([
  [0xc000013a, 'ended by Ctrl-C, Ctrl-Break or its closed window'],
  [0xc0000005, 'access violation'],
  [0xc0000017, 'out of memory'],
  [0xc000001d, 'illegal instruction'],
  [0xc0000094, 'division by zero'],
  [0xc00000fd, 'stack overflow'],
  [0xc0000135, 'a DLL is missing'],
  [0xc0000139, 'a DLL lacks a function'],
  [0xc0000142, 'a DLL could not be initialised'],
  [0xc0000374, 'damaged heap'],
  [0xc0000409, 'ended itself after damage to its stack, or by abort()'],
  [0x40010004, 'ended by a debugger'],
]);

/** Statuses from here on are the system's, as an NTSTATUS of severity "error". */
const firstError = 0xc0000000;

/**
 * Returns a status of Windows in words, with its number as documents write it; null for a status
 * that a program gave itself.
 */
export const statusWords = (status: number): string | null => {
  const meaning = meanings.get(status);
  if (meaning === undefined && (status < firstError || status > 0xffff_ffff)) return null;
  const name = `0x${status.toString(16).toUpperCase().padStart(8, '0')}`;
  return meaning === undefined ? `status ${name}` : `status ${name}, ${meaning}`;
};
