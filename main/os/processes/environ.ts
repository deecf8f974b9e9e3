import { createHmac, randomBytes } from 'node:crypto';
import { once } from '../../../app/format/once.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';

/** Bytes of an environment that are read. A longer one is unknown. */
export const environBytes = 1_048_576;

/** A longer value is no marker and is not kept. */
const maxValueLength = 4_096;

/** The allow-list in a form for searching bytes: the names by their first byte. */
export interface MarkerNames {
  readonly byFirstByte: readonly (readonly Buffer[] | undefined)[];
}

/** Prepares an allow-list of names, compared byte for byte, case-sensitively. */
export const markerNames = (names: Iterable<string>): MarkerNames => {
  const byFirstByte: Buffer[][] = [];
  for (const name of new Set(names)) {
    const bytes = Buffer.from(`${name}=`, 'utf8');
    if (bytes.length > 1) (byFirstByte[bytes[0] as number] ??= []).push(bytes);
  }
  return { byFirstByte };
};

/** An environment without any of the names. */
export const noMarkers: MarkerEnvironment = Object.freeze({});

const startsWith = (bytes: Uint8Array, at: number, end: number, name: Uint8Array): boolean => {
  if (at + name.length > end) return false;
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
};

/**
 * Returns whether an entry is `NAME=…`. A name has neither blanks nor control characters, so most
 * titles that programs write over their environment are not entries: `nginx: worker a=b`.
 * Environments contain odd names (`BASH_FUNC_x%%`, `npm_package_scripts_a-b`).
 */
const isEntry = (bytes: Uint8Array, start: number, stop: number): boolean => {
  for (let at = start; at < stop; at++) {
    const byte = bytes[at] as number;
    if (byte === 0x3d) return at > start;
    if (byte <= 0x20 || byte === 0x7f) return false;
  }
  return false;
};

/**
 * Returns the allow-listed variables among the NUL-ended entries in `bytes` from `start` to `end`.
 * Nothing else is decoded: an environment holds secrets. As in getenv, the first entry of a name
 * counts.
 * Null when the bytes are not an environment as execve(2) leaves it, `NAME=…` after `NAME=…`:
 * programs write their title over it (setproctitle(3): redis, nginx, postgres, perl's `$0`), which
 * destroys it. Null also when `cut` says that entries follow behind `end`. Never throws.
 */
export const markersIn = (
  bytes: Buffer,
  start: number,
  end: number,
  names: MarkerNames,
  cut: boolean,
): MarkerEnvironment | null => {
  if (cut) return null;
  let found: Record<string, string> | null = null;
  for (let at = start; at < end;) {
    const candidates = names.byFirstByte[bytes[at] as number];
    let stop = bytes.indexOf(0, at);
    if (stop === -1 || stop >= end) stop = end;
    if (!isEntry(bytes, at, stop)) return null;
    if (candidates !== undefined) {
      for (const name of candidates) {
        if (!startsWith(bytes, at, stop, name)) continue;
        const key = name.toString('utf8', 0, name.length - 1);
        if (stop - at - name.length <= maxValueLength && (found === null || !Object.hasOwn(found, key))) {
          found ??= {};
          found[key] = bytes.toString('utf8', at + name.length, stop);
        }
      }
    }
    at = stop + 1;
  }
  return found ?? noMarkers;
};

/** Ends with this process, so that no value can be guessed from a digest that is kept. */
const digestKey = once(() => randomBytes(32));

/**
 * Returns a digest of the environment in `bytes` up to `end`, whatever the order of its entries:
 * agents keep it in hash tables. Two are equal only if one process made both. Null where it was
 * overwritten or is cut, as in `markersIn`, or says a name twice, of which the order decides.
 */
export const environmentDigest = (bytes: Buffer, end: number): string | null => {
  if (end <= 0 || end >= environBytes || bytes[end - 1] !== 0) return null;
  const entries = bytes
    .toString('latin1', 0, end - 1)
    .split('\0')
    .toSorted();
  const names = new Set(entries.map((entry) => /^[^\0-\x20\x7f=]+(?==)/u.exec(entry)?.[0]));
  if (names.has(undefined) || names.size < entries.length) return null;
  return createHmac('sha256', digestKey()).update(entries.join('\0'), 'latin1').digest('hex');
};
