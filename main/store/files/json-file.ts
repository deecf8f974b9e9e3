import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';

/** What stands in a file that is to hold JSON. */
export type JsonFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  /** `text` is null when it could not be read at all; `why` is for people. */
  | { readonly kind: 'bad'; readonly text: string | null; readonly why: string };

/** Larger files are not settings; a look must not take time on them. Bytes. */
const largest = 1024 * 1024;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Reads a file of JSON. Never throws, and never waits for a writer: what is no regular file (a pipe, a folder) is not opened. */
export const readJsonFile = (path: string): JsonFile => {
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return { kind: 'bad', text: null, why: 'it is not a regular file' };
    if (found.size > largest)
      return { kind: 'bad', text: null, why: `it has ${found.size} bytes, too many for settings` };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return isMissing(error) ? { kind: 'missing' } : { kind: 'bad', text: null, why: messageOf(error) };
  }
  try {
    // Some editors put a byte order mark first.
    return { kind: 'value', value: JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown, text };
  } catch (error) {
    return { kind: 'bad', text, why: `it is not JSON: ${messageOf(error)}` };
  }
};

/** A file as it was at one look at its folder. */
export interface FileStamp {
  /** Equal texts mean that nothing was written in between, unless the file is fresh. `missing` for none. */
  readonly version: string;
  /** Written so lately (2 s) that another change could carry the same time, or that somebody may still be writing. */
  readonly fresh: boolean;
}

/** What can be known of a file without opening it. Never throws; costs one system call. */
export const fileStamp = (path: string, nowMs: number): FileStamp => {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return { version: 'missing', fresh: false };
    const version = `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
    return { version, fresh: Math.abs(nowMs - Number(found.mtimeMs)) < 2000 };
  } catch (error) {
    // Not allowed to look, or a part of the path is no folder: reading it says why.
    return { version: `unknown: ${messageOf(error)}`, fresh: false };
  }
};
