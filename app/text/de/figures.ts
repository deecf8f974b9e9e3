import { formatBytes } from '../../format/bytes.ts';

/** Returns bytes with a decimal comma: `1,1 GB`. */
export const bytesIn = (bytes: number): string => formatBytes(bytes).replace('.', ',');

/** Returns a count with its German noun: `1 Prozess`, `3 Prozesse`. */
export const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;
