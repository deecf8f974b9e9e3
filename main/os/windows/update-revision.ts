import { boundOrNull } from '../native/koffi.ts';

/** HKEY_LOCAL_MACHINE, a number of 32 bits with a sign (winreg.h). */
const localMachine = -0x7ffffffe;
/** RRF_RT_REG_DWORD: nothing but a number of 32 bits is given. */
const numbersOnly = 0x10;

/**
 * Returns the revision of this Windows (UBR), which each monthly update raises; neither the release
 * nor the version that Node tells does. Null where it can't be read.
 */
export const updateRevision = (): number | null =>
  boundOrNull((koffi) => {
    const read = koffi
      .load('advapi32.dll')
      .func('__stdcall', 'RegGetValueW', 'int32', ['int64', 'str16', 'str16', 'uint32', 'void *', 'void *', 'void *']);
    const value = new Uint32Array(1);
    const key = String.raw`SOFTWARE\Microsoft\Windows NT\CurrentVersion`;
    const status: unknown = read(localMachine, key, 'UBR', numbersOnly, null, value, new Uint32Array([4]));
    return status === 0 ? (value[0] ?? null) : null;
  });
