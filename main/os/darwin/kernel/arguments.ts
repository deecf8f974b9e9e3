import { keepName } from '../../../../app/guard/script/keep-assignment.ts';
import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import { markersIn, noMarkers, type MarkerNames } from '../../processes/environ.ts';

/**
 * Why an environment is not, or not wholly, known. `hidden`: the kernel left it out. `rewritten`:
 * the process has written over its arguments, so where they end is unknown.
 */
export type EnvironmentGap = 'hidden' | 'rewritten';

export interface ProcessArguments {
  readonly argv: readonly string[];
  /** Null: unknown. Every process has one. */
  readonly environment: MarkerEnvironment | null;
  /** Null: the environment is known. */
  readonly gap: EnvironmentGap | null;
  /** Bytes that the arguments fill; null where that can't be told. */
  readonly argumentBytes: number | null;
}

/** ARG_MAX of macOS and four bytes: what is asked for. More is refused (EINVAL). */
export const argumentAreaBytes = 1_048_580;

/** The kernel pads the environment with at most this many NULs. */
const maxPadding = 7;

/** The last of the kernel's own strings behind every environment that is shown. */
const lastOfKernel = Buffer.from('\0ptr_munge=');
/** The first of them, in any order that was seen. */
const firstOfKernel = /^(?:pfz|executable_path|stack_guard|malloc_entropy|ptr_munge)=/u;

const assignment = /^[^\0-\x20=\x7f]+=/u;

/** Returns the NUL-ended strings from `start` on, and where the last one ends; null if cut. */
const stringsIn = (
  bytes: Buffer,
  start: number,
  count: number,
): { readonly strings: readonly string[]; readonly end: number } | null => {
  const strings: string[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(0, at);
    if (end === -1) return null;
    strings.push(bytes.toString('utf8', at, end));
    at = end + 1;
  }
  return { strings, end: at };
};

/** True where one of the strings is `CURFEW_KEEP=1`. It only spares, so any place will do. */
const carriesKeep = (bytes: Buffer, start: number): boolean => {
  const wanted = Buffer.from(`\0${keepName}=1\0`);
  return start > 0 && bytes.indexOf(wanted, start - 1) !== -1;
};

const unknownEnvironment = (bytes: Buffer, start: number): MarkerEnvironment | null =>
  carriesKeep(bytes, start) ? { [keepName]: '1' } : null;

/** Returns the entries behind the arguments; null where a part of them is gone. */
const environmentIn = (bytes: Buffer, start: number, names: MarkerNames): MarkerEnvironment | null => {
  let at = start;
  while (at < bytes.length && bytes[at] === 0) at++;
  const first = bytes.toString('utf8', at, Math.min(bytes.length, at + 32));
  if (firstOfKernel.test(first)) return at - start > maxPadding ? null : noMarkers;
  // Entries are separated by more than one NUL only where padding is.
  const entries: Buffer[] = [];
  while (at < bytes.length) {
    let end = bytes.indexOf(0, at);
    if (end === -1) end = bytes.length;
    if (end > at) entries.push(bytes.subarray(at, end), Buffer.from([0]));
    at = end + 1;
  }
  const packed = Buffer.concat(entries);
  return markersIn(packed, 0, packed.length, names, false);
};

/**
 * Parses KERN_PROCARGS2: argc, the path of the executable padded with NULs to a multiple of 8,
 * argc arguments, the environment, padding, and strings of the kernel (exec_extract_strings and
 * sysctl_procargsx of xnu-11417). Null when the bytes have another form, or fill the room that was
 * there: then the kernel has cut off the beginning.
 *
 * A process may have overwritten its arguments with a title (libuv's process.title). A title as
 * long as all arguments makes the first variables look like arguments, and they may be secrets.
 *
 * @param firstBytes what `argumentBytes` was when this program was seen first; null: unknown
 */
export const processArgumentsIn = (
  bytes: Buffer,
  names: MarkerNames,
  firstBytes: number | null = null,
): ProcessArguments | null => {
  if (bytes.length < 12 || bytes.length >= argumentAreaBytes) return null;
  const count = bytes.readInt32LE(0);
  const pathEnd = bytes.indexOf(0, 4);
  if (count < 1 || count > bytes.length || pathEnd <= 4) return null;
  const start = 4 + Math.ceil((pathEnd - 4 + 1) / 8) * 8;
  if (start > bytes.length || bytes.subarray(pathEnd, start).some((byte) => byte !== 0)) return null;
  const isShown = bytes.indexOf(lastOfKernel, start) !== -1;

  if (firstBytes !== null && start + firstBytes <= bytes.length) {
    const area = bytes.subarray(start, start + firstBytes);
    const words = stringsIn(area, 0, count);
    const title = area.toString('utf8', 0, Math.max(0, area.indexOf(0)));
    const whole = words !== null && words.end === area.length;
    const environment = isShown ? environmentIn(bytes, start + firstBytes, names) : null;
    return {
      argv: whole ? words.strings : [title],
      environment: environment ?? unknownEnvironment(bytes, start),
      gap: isShown ? (environment === null ? 'rewritten' : null) : 'hidden',
      argumentBytes: firstBytes,
    };
  }

  const words = stringsIn(bytes, start, count);
  if (words === null) return null;
  const [first = '', ...rest] = words.strings;
  const isTitle = rest.length > 0 && rest.every((word) => word === '' || assignment.test(word));
  if (isTitle && rest.some((word) => word !== ''))
    return {
      argv: [first],
      environment: unknownEnvironment(bytes, start),
      gap: isShown ? 'rewritten' : 'hidden',
      argumentBytes: null,
    };
  const environment = isShown && first !== '' ? environmentIn(bytes, words.end, names) : null;
  return {
    argv: isTitle ? [first] : words.strings,
    environment: environment ?? unknownEnvironment(bytes, start),
    gap: environment !== null ? null : isShown ? 'rewritten' : 'hidden',
    argumentBytes: isTitle ? null : words.end - start,
  };
};
