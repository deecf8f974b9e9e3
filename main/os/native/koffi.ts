import { createRequire } from 'node:module';
import type * as koffi from 'koffi';

/** Why koffi isn't used, for `doctor`. */
export interface KoffiMissing {
  readonly reason: string;
}

/**
 * Loads koffi, which calls C functions from JavaScript. It is optional: without a binary for the
 * machine Curfew works without it. It stays outside the bundle and is resolved from this file
 * upward, which finds it beside build/out/cli, in a global installation, and in Electron's
 * app.asar.unpacked. https://koffi.dev
 */
export const loadKoffi = (): typeof koffi | KoffiMissing => {
  try {
    return createRequire(import.meta.url)('koffi') as typeof koffi;
  } catch (error) {
    return { reason: error instanceof Error ? error.message.split('\n', 1).join('') : String(error) };
  }
};

/** Binds a library's functions through koffi; null where one or all are missing. */
export const boundOrNull = <Bound>(bind: (loaded: typeof koffi) => Bound): Bound | null => {
  const loaded = loadKoffi();
  if ('reason' in loaded) return null;
  try {
    return bind(loaded);
  } catch {
    // A system without the library, or with an earlier one.
    return null;
  }
};
