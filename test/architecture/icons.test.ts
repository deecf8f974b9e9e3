import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawings, icoFiles, recordFile } from '../../build/icons/drawings.ts';
import { picturesIn } from '../../build/icons/ico.ts';

const icons = join(import.meta.dirname, '../../build/icons');

/**
 * Returns width and height in pixels, from the first chunk of a PNG:
 * https://www.w3.org/TR/png-3/#11IHDR.
 */
const sizeOf = (file: string): readonly [number, number] => {
  const bytes = readFileSync(join(icons, file));
  expect(bytes.subarray(12, 16).toString('latin1')).toBe('IHDR');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

describe('icons', () => {
  test.each(drawings)('$file is there, $pixels pixels wide and high', ({ file, pixels }) => {
    expect(sizeOf(file)).toEqual([pixels, pixels]);
  });

  test.each(icoFiles)('$file holds its drawings as they are', ({ file, of }) => {
    const pictures = picturesIn(readFileSync(join(icons, file)));
    expect(pictures.map(({ pixels }) => pixels)).toEqual(of.map(({ pixels }) => pixels));
    expect(pictures.length).toBeGreaterThanOrEqual(5);
    pictures.forEach(({ png }, index) => {
      expect(png.equals(readFileSync(join(icons, of[index]?.file ?? '')))).toBe(true);
    });
  });

  test('for panels of Linux are seen on light and on dark ones: half of each is light, and its edge is dark', async () => {
    const panels = drawings.filter(({ file }) => /-22Light(?:@2x)?\.png$/u.test(file));
    expect(panels).toHaveLength(6);
    for (const { file } of panels) {
      const { data } = await sharp(join(icons, file)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
      const seen = Array.from({ length: data.length / 4 }, (_, at) => data.subarray(4 * at, 4 * at + 4)).filter(
        ([, , , alpha = 0]) => alpha > 160,
      );
      const light = seen.filter(([red = 0]) => red > 200).length / seen.length;
      const dark = seen.filter(([red = 0]) => red < 90).length / seen.length;
      expect({ file, light: light > 0.2, dark: dark > 0.2 }).toEqual({ file, light: true, dark: true });
    }
  });

  test('were rendered from the sources as they are now (npm run icons)', () => {
    const sources = [...new Set(drawings.map(({ source }) => source))];
    const hashes = sources.map((source) => [
      source,
      createHash('sha256')
        .update(readFileSync(join(icons, 'sources', source), 'utf8'))
        .digest('hex'),
    ]);
    expect(JSON.parse(readFileSync(join(icons, recordFile), 'utf8'))).toEqual(Object.fromEntries(hashes));
  });
});
