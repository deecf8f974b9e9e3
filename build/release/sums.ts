import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Returns the lines of a file SHA256SUMS, as `sha256sum --check` reads them, sorted by name. */
export const sumsText = (sums: ReadonlyMap<string, string>): string =>
  [...sums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, sum]) => `${sum}  ${file}\n`)
    .join('');

/**
 * Returns the hashes of a file SHA256SUMS by name.
 * @throws Error on a line of another form
 */
export const readSums = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { sum, file } = /^(?<sum>[0-9a-f]{64}) [ *](?<file>[^/\s]+)$/u.exec(line)?.groups ?? {};
        if (sum === undefined || file === undefined) throw new Error(`not a line of SHA256SUMS: ${line}`);
        return [file, sum] as const;
      }),
  );

/** Returns the SHA-256 of files by their base names. Throws the file system's error. */
export const sumsOfFiles = (files: readonly string[]): ReadonlyMap<string, string> =>
  new Map(files.map((file) => [basename(file), createHash('sha256').update(readFileSync(file)).digest('hex')]));
