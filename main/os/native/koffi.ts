import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as koffi from 'koffi';

/** Why koffi isn't used, for `doctor`. */
export interface KoffiMissing {
  readonly reason: string;
}

/** Where a program names its loader: its first bytes, behind the headers of its file (elf(5)). */
const headBytes = 4_096;

/** The first bytes of a file, and its size. */
const headOf = (path: string): { readonly head: Buffer; readonly size: number } => {
  const head = Buffer.alloc(headBytes);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, headBytes, 0);
    return { head, size: fstatSync(fd).size };
  } finally {
    closeSync(fd);
  }
};

/** Whether this Node runs with glibc; musl has a binary of its own. False: can't be told, too. */
const isGlibc = (): boolean => headOf(process.execPath).head.includes('/ld-linux-');

/**
 * Refuses a binary that is cut short, as an installation on a full disk leaves it: loaded, it ends
 * the program at once (SIGBUS). Its table of sections lies at its end (elf(5): e_shoff, e_shnum).
 */
const refuseCut = (path: string): void => {
  const { head, size } = headOf(path);
  const end = head.readBigUInt64LE(0x28) + BigInt(head.readUInt16LE(0x3a) * head.readUInt16LE(0x3c));
  if (end > size) throw new CutShort(`${path} is cut short`);
};

class CutShort extends Error {
  override readonly name = 'CutShort';
}

let loaded: typeof koffi | null = null;

/**
 * Returns koffi's binary for this machine without the modules that search for it: 1 MB and 1 ms in
 * place of 7 MB and 10 ms (Node 24.21, x86-64). Null where another may be the right one: then koffi
 * searches.
 */
const binaryOf = (load: NodeJS.Require): typeof koffi | null => {
  const { arch, platform, versions } = process;
  if (platform !== 'linux' || !['x64', 'arm64'].includes(arch) || versions['electron'] !== undefined) return null;
  try {
    if (!isGlibc()) return null;
    const folder = dirname(load.resolve('koffi'));
    const { version } = load(join(folder, 'package.json')) as { readonly version: string };
    const native = { exports: {} as typeof koffi };
    const binary = join(folder, `../@koromix/koffi-linux-${arch}/linux_${arch}/koffi.node`);
    refuseCut(binary);
    process.dlopen(native, binary);
    return native.exports.version === version ? native.exports : null;
  } catch (error) {
    // Koffi itself would load it, too.
    if (error instanceof CutShort) throw error;
    return null;
  }
};

/**
 * Loads koffi, which calls C functions from JavaScript. It is optional: without a binary for the
 * machine Curfew works without it. It stays outside the bundle and is resolved from this file
 * upward, which finds it beside build/out/cli, in a global installation, and in Electron's
 * app.asar.unpacked. https://koffi.dev
 */
export const loadKoffi = (): typeof koffi | KoffiMissing => {
  try {
    if (loaded !== null) return loaded;
    const load = createRequire(import.meta.url);
    return (loaded = binaryOf(load) ?? (load('koffi') as typeof koffi));
  } catch (error) {
    return { reason: error instanceof Error ? error.message.split('\n', 1).join('') : String(error) };
  }
};

/** Binds a library's functions through koffi; null where one or all are missing. */
export const boundOrNull = <Bound>(bind: (loaded: typeof koffi) => Bound): Bound | null => {
  const found = loadKoffi();
  if ('reason' in found) return null;
  try {
    return bind(found);
  } catch {
    // A system without the library, or with an earlier one.
    return null;
  }
};
