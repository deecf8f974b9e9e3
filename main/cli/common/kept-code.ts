import { constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { readBoundedFile } from '../../os/files/bounded-read.ts';

/** Where compiled code is kept, null: nowhere; and for which command. */
let kept: { readonly folder: string; readonly command: string } | null = null;

/** Ten times what is kept of the largest chunk. */
const maxBytes = 16 * 1_048_576;

/** Bytes of the check sum after the code: V8 itself does not notice a changed byte. */
const sumBytes = 4;

/** Returns code that was kept; undefined where there is none, or it is not what was written. */
const readCode = (file: string): Buffer | undefined => {
  try {
    const read = readBoundedFile(file, maxBytes, constants.O_NOFOLLOW);
    if (read.kind !== 'read') return undefined;
    const { bytes } = read;
    const code = bytes.subarray(0, bytes.length - sumBytes);
    return crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined;
  } catch {
    return undefined;
  }
};

const writeCode = (file: string, code: Buffer): void => {
  const sum = Buffer.alloc(sumBytes);
  sum.writeUInt32LE(crc32(code));
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([code, sum]), { mode: 0o600 });
    renameSync(temporary, file);
  } catch {
    // A full or read-only disk: the next start compiles again.
  }
};

const unsaved = new Map<string, Script>();

/**
 * Writes the code of what runs and is not kept yet. V8 takes code only under the flags that it was
 * written under, so call it before they change.
 */
export const saveCode = (): void => {
  for (const [file, script] of unsaved) writeCode(file, script.createCachedData());
  unsaved.clear();
};

/**
 * Keeps compiled code in this folder from now on. What is there runs as part of the program, so the
 * folder must belong to the user alone, or have been named by the user (NODE_COMPILE_CACHE).
 * @param command each has other functions run, so each keeps its own
 */
export const keepCodeIn = (folder: string, command: string): void => {
  kept = { folder, command };
  process.once('exit', saveCode);
};

/**
 * Runs the text of a chunk, and returns what it comes to: a function. What of it has been compiled
 * when the process ends is kept for the next start. The bundler calls this: see
 * build/bundler/kept-chunks.ts.
 */
export const keptCode = (filename: string): unknown => {
  const file = kept === null ? null : join(kept.folder, `${basename(filename, '.text.js')}.${kept.command}`);
  const cachedData = file === null ? undefined : readCode(file);
  const script = new Script(readFileSync(filename, 'utf8'), {
    filename,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (file !== null && (cachedData === undefined || script.cachedDataRejected === true)) unsaved.set(file, script);
  return script.runInThisContext();
};
