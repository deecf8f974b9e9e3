import { join } from 'node:path';

/** The tray's icons; they differ in shape, not only in colour. One source each in `sources/`. */
const trayStates = ['well', 'attention', 'paused'] as const;

/**
 * The kinds of a tray icon: `Template` is black, and macOS colours it (recognised by the file name,
 * see https://www.electronjs.org/docs/latest/api/native-image#template-image-macos); `Light` is for
 * dark panels, `Dark` for light ones. A program can't ask how dark a panel of Linux is: `Light` has
 * a dark edge, which a dark panel hides and which alone is seen on a light one.
 */
const tones = { Template: '#000000', Light: '#f4f4f6', Dark: '#232428' } as const;

/** Sizes of panels in pixels; each is also drawn at the double, for dense screens. */
const traySizes = [16, 22, 24, 32] as const;

/**
 * Sizes of the program's own icon in pixels, as the icon theme specification has them;
 * electron-builder makes .ico and .icns of the largest.
 */
const programSizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;

/**
 * One icon: its source, its colour, its width and height in pixels, and its file below
 * `build/icons`.
 */
export interface Drawing {
  readonly source: string;
  readonly colour: string | null;
  /** The colour around its shape; null: none. */
  readonly edge: string | null;
  readonly pixels: number;
  readonly file: string;
}

/** All checked-in icons. */
export const drawings: readonly Drawing[] = [
  ...trayStates.flatMap((state) =>
    Object.entries(tones).flatMap(([tone, colour]) =>
      traySizes.flatMap((size) =>
        [1, 2].map((scale) => ({
          source: `${state}.svg`,
          colour,
          edge: tone === 'Light' ? tones.Dark : null,
          pixels: size * scale,
          file: join('tray', `${state}-${size}${tone}${scale === 1 ? '' : `@${scale}x`}.png`),
        })),
      ),
    ),
  ),
  ...programSizes.map((pixels) => ({
    source: 'app.svg',
    colour: null,
    edge: null,
    pixels,
    file: join('program', `${pixels}x${pixels}.png`),
  })),
];

/** An icon of Windows: several drawings in one file. */
export interface IcoFile {
  readonly file: string;
  readonly of: readonly Drawing[];
}

/**
 * Widths of tray icons on Windows: 16 logical pixels, at 100, 150, 200, 300 and 400 %; and those of
 * a program's icon, from lists to large tiles.
 */
const trayIcoSizes: readonly number[] = [16, 24, 32, 48, 64];
const programIcoSizes: readonly number[] = [16, 24, 32, 48, 64, 128, 256];

const isOf = (file: string, pixels: number, start: string): boolean =>
  file.startsWith(join('tray', start)) && trayIcoSizes.includes(pixels);

/** Returns one drawing for each width. */
const oneEach = (all: readonly Drawing[]): readonly Drawing[] =>
  [...new Map(all.map((drawing) => [drawing.pixels, drawing])).values()].toSorted((a, b) => a.pixels - b.pixels);

/** All checked-in icons of Windows. */
export const icoFiles: readonly IcoFile[] = [
  ...trayStates.flatMap((state) =>
    (['Light', 'Dark'] as const).map((tone) => ({
      file: join('tray', `${state}${tone}.ico`),
      of: oneEach(drawings.filter(({ file, pixels }) => isOf(file, pixels, `${state}-`) && file.includes(tone))),
    })),
  ),
  {
    file: join('windows', 'curfew.ico'),
    of: oneEach(drawings.filter(({ file, pixels }) => file.startsWith('program') && programIcoSizes.includes(pixels))),
  },
];

/** The hashes of the sources of the checked-in icons, by which a test finds an outdated icon. */
export const recordFile = 'rendered.json';
