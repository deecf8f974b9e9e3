import { readFileSync, statSync } from 'node:fs';

/** What stands in a file that is to hold JSON. */
export type JsonFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  /** `text` is null when it could not be read at all; `why` is for people. */
  | { readonly kind: 'bad'; readonly text: string | null; readonly why: string };

/** Larger files are not settings; a look must not take time on them. Bytes. */
const largest = 1024 * 1024;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Reads a file of JSON. Never throws, and never waits for a writer: what is no regular file (a pipe, a folder) is not opened. */
export const readJsonFile = (path: string): JsonFile => {
  let text: string;
  try {
    const found = statSync(path);
    if (!found.isFile()) return { kind: 'bad', text: null, why: 'it is not a regular file' };
    if (found.size > largest) return { kind: 'bad', text: null, why: `it has ${found.size} bytes, too many for settings` };
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

/** Which version of a file stands at a path: equal texts mean that nothing was written in between. `missing` for none. */
export const fileVersion = (path: string): string => {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? 'missing' : `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
  } catch (error) {
    // Not allowed to look, or a part of the path is no folder: reading it says why.
    return `unknown: ${messageOf(error)}`;
  }
};

/** True when the file was written so lately (2 s) that another change could carry the same time. */
export const isFresh = (path: string, nowMs: number): boolean => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Math.abs(nowMs - found.mtimeMs) < 2000;
};
