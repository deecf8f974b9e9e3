import type { MarkerEnvironment } from '../../../../app/process/facts.ts';
import { noMarkers } from '../../processes/environ.ts';

/** The allow-list by the names in capitals, because Windows ignores case in names. */
export type BlockNames = ReadonlyMap<string, string>;

/** Prepares an allow-list. */
export const blockNames = (names: Iterable<string>): BlockNames =>
  new Map([...names].map((name) => [name.toUpperCase(), name]));

/** A longer value is no marker and is not kept. */
const maxValueLength = 4_096;
/** No listed name is longer. */
const maxNameLength = 64;

const equals = 0x3d;

/** Returns the index of the first code unit of this value at or behind `from`, or -1. */
const unitAt = (bytes: Buffer, value: number, from: number, end: number): number => {
  for (let at = from; at < end; at += 2) if (bytes.readUInt16LE(at) === value) return at;
  return -1;
};

/** What MSYS programs (Git Bash) get from each other: the rest is hidden from Windows. */
const systemOnly: ReadonlySet<string> = new Set(['PATH', 'SYSTEMDRIVE', 'SYSTEMROOT', 'WINDIR']);

export interface BlockContent {
  /** The listed variables; null: the block is not an environment as Windows makes them. */
  readonly markers: MarkerEnvironment | null;
  /** It has nothing but what every program needs: the rest is kept elsewhere, if there is one. */
  readonly bare: boolean;
}

const malformed: BlockContent = { markers: null, bare: false };

/**
 * Returns the listed variables in an environment block: UTF-16 texts `NAME=value`, each ended by a
 * zero, one more zero at the end. Nothing else is decoded: an environment holds secrets. Names may
 * begin with `=` (`=C:=C:\work`). Never throws.
 */
export const environmentIn = (bytes: Buffer, names: BlockNames): BlockContent => {
  const found: Record<string, string> = {};
  const end = bytes.length - (bytes.length % 2);
  let bare = true;
  let some = false;
  for (let at = 0; at < end;) {
    const stop = unitAt(bytes, 0, at, end);
    // Every text is ended; without it the block was cut.
    if (stop === -1) return malformed;
    if (stop === at) return { markers: some ? found : noMarkers, bare };
    const sign = unitAt(bytes, equals, at + 2, stop);
    if (sign === -1) return malformed;
    if (bytes.readUInt16LE(at) !== equals && sign - at <= maxNameLength * 2) {
      const name = bytes.toString('utf16le', at, sign).toUpperCase();
      const listed = names.get(name);
      bare &&= systemOnly.has(name);
      if (listed !== undefined && !Object.hasOwn(found, listed) && stop - sign - 2 <= maxValueLength * 2) {
        found[listed] = bytes.toString('utf16le', sign + 2, stop);
        some = true;
      }
    } else if (bytes.readUInt16LE(at) !== equals) bare = false;
    at = stop + 2;
  }
  return malformed;
};
