import { createHmac, randomBytes } from 'node:crypto';
import { once } from '../../../app/format/once.ts';
import type { MarkerEnvironment } from '../../../app/process/facts.ts';

/** Bytes of an environment that are read. A longer one is unknown. */
export const environBytes = 1_048_576;

/** A longer value is no marker and is not kept. */
const maxValueLength = 4_096;

/** The allow-list in a form for searching environments. */
export interface MarkerNames {
  /** Finds the next entry of one of the names, with `g`. */
  readonly entry: RegExp;
}

/**
 * Prepares an allow-list of names, compared byte for byte, case-sensitively.
 * @param names of letters, digits and `_`
 */
export const markerNames = (names: Iterable<string>): MarkerNames => ({
  entry: new RegExp(String.raw`(?:^|\0)(${[...new Set(names)].join('|')})=`, 'gu'),
});

/** An environment without any of the names. */
export const noMarkers: MarkerEnvironment = Object.freeze({});

/**
 * Finds an entry that is not `NAME=…`. A name has neither blanks nor control characters, so most
 * titles that programs write over their environment are not entries: `nginx: worker a=b`.
 * Environments contain odd names (`BASH_FUNC_x%%`, `npm_package_scripts_a-b`).
 */
const noEntry = /(?:^|\0)(?:=|[^\0-\x20=\x7f]*(?:[\0-\x20\x7f]|$))/u;

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
  if (start >= end) return noMarkers;
  // One character for each byte. To go from entry to entry took four times as long.
  const text = bytes.toString('latin1', start, bytes[end - 1] === 0 ? end - 1 : end);
  if (noEntry.test(text)) return null;
  let found: Record<string, string> | null = null;
  names.entry.lastIndex = 0;
  for (let entry = names.entry.exec(text); entry !== null; entry = names.entry.exec(text)) {
    const key = entry[1] ?? '';
    const at = entry.index + entry[0].length;
    const next = text.indexOf('\0', at);
    const stop = next === -1 ? text.length : next;
    if (stop - at > maxValueLength || (found !== null && Object.hasOwn(found, key))) continue;
    found ??= {};
    found[key] = bytes.toString('utf8', start + at, start + stop);
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
