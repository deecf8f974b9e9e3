import { isAbsence } from '../../os/files/small-file.ts';
import { saidOf, say } from '../../../app/text/say.ts';
import type { Said } from '../../../app/format/said.ts';
import { statSync } from 'node:fs';
import { messageOf } from '../../../app/format/error-message.ts';
import { readBoundedFile } from '../../os/files/bounded-read.ts';

export type JsonFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  /** `text` is null when the file could not be read; `why` is for people. */
  | { readonly kind: 'bad'; readonly text: string | null; readonly why: Said };

/** Larger files are no settings and must not delay a scan. Bytes. */
const maxBytes = 1024 * 1024;

/** Reads a JSON file. Never throws, and never waits for the other end of a pipe. */
export const readJsonFile = (path: string): JsonFile => {
  let text: string;
  try {
    const file = readBoundedFile(path, maxBytes);
    if (file.kind === 'no-file') return { kind: 'bad', text: null, why: say('it is not a regular file') };
    if (file.kind === 'too-large')
      return {
        kind: 'bad',
        text: null,
        why: say('it has {bytes} bytes, too many for settings', { bytes: file.bytes }),
      };
    text = file.bytes.toString('utf8');
  } catch (error) {
    return isAbsence(error) ? { kind: 'missing' } : { kind: 'bad', text: null, why: saidOf(error) };
  }
  try {
    // Some editors write a byte order mark first.
    return { kind: 'value', value: JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown, text };
  } catch (error) {
    return { kind: 'bad', text, why: say('it is not JSON: {why}', { why: messageOf(error) }) };
  }
};

export interface FileStamp {
  /** Equal texts: nothing was written between, unless the file is fresh. `missing`: no file. */
  readonly version: string;
  /** Written within 2 s: another change could have the same time, or a write may be in progress. */
  readonly fresh: boolean;
}

/** Returns what is known of a file without opening it. Never throws; costs one system call. */
export const fileStamp = (path: string, nowMs: number): FileStamp => {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return { version: 'missing', fresh: false };
    const version = `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
    return { version, fresh: Math.abs(nowMs - Number(found.mtimeMs)) < 2000 };
  } catch (error) {
    // No permission, or a part of the path is no folder: reading it reports why.
    return { version: `unknown: ${messageOf(error)}`, fresh: false };
  }
};
