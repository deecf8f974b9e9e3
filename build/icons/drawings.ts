import { join } from 'node:path';

/** What the tray shows; drawn so that they differ in shape, not only in colour. One source each in `sources/`. */
const trayStates = ['well', 'attention', 'paused'] as const;

/**
 * For whom a tray icon is drawn: `Template` is black, and macOS colours it itself (a file whose name ends so is taken for one, see
 * https://www.electronjs.org/docs/latest/api/native-image#template-image-macos); `Light` is for dark panels, `Dark` for light ones.
 */
const tones = { Template: '#000000', Light: '#f4f4f6', Dark: '#232428' } as const;

/** Sizes of panels, in pixels; each is drawn once more at the double, for dense screens. */
const traySizes = [16, 22, 24, 32] as const;

/** Sizes of the program's own icon in pixels, as the icon theme specification has them; electron-builder makes .ico and .icns of the largest. */
const programSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;

/** One picture: its source, what it is coloured with, its width and height in pixels, and its file below `build/icons`. */
export interface Drawing {
  readonly source: string;
  readonly colour: string | null;
  readonly pixels: number;
  readonly file: string;
}

/** Every picture that is checked in. */
export const drawings: readonly Drawing[] = [
  ...trayStates.flatMap((state) =>
    Object.entries(tones).flatMap(([tone, colour]) =>
      traySizes.flatMap((size) =>
        [1, 2].map((scale) => ({
          source: `${state}.svg`,
          colour,
          pixels: size * scale,
          file: join('tray', `${state}-${size}${tone}${scale === 1 ? '' : `@${scale}x`}.png`),
        })),
      ),
    ),
  ),
  ...programSizes.map((pixels) => ({
    source: 'app.svg',
    colour: null,
    pixels,
    file: join('program', `${pixels}x${pixels}.png`),
  })),
];

/** Which sources the checked-in pictures were made from: the hash of each, so that a test sees a picture that was forgotten. */
export const recordFile = 'rendered.json';
