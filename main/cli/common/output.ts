import { styleText } from 'node:util';
import type { Said } from '../../../app/format/said.ts';
import { jsonText } from '../../../app/format/json.ts';
import { visibleLines } from '../../../app/format/visible.ts';
import { words } from './words.ts';
import { system } from '../../os/this-system.ts';

/** Where a command writes: documents and texts to standard output, the rest to standard error. */
export interface Output {
  /** True if colour is wanted: a terminal, and NO_COLOR is not set (https://no-color.org). */
  readonly colour: boolean;
  /** Columns of the terminal; 100 without one. */
  readonly columns: number;
  readonly isTerminal: boolean;
  /** Writes; resolves when written: slow readers slow it. A closed reader ends us quietly. */
  readonly write: (text: string) => Promise<void>;
  readonly warn: (said: Said) => void;
}

type Style = Parameters<typeof styleText>[0];

/** Returns text in colour if colour is wanted. */
export const paint = (output: Pick<Output, 'colour'>, style: Style, text: string): string =>
  output.colour ? styleText(style, text, { validateStream: false }) : text;

/**
 * Writes one JSON document; on a terminal over several lines. All `--json` output passes through
 * here, through `writeJsonLine` or through the export of the history, and nothing in it can control
 * a terminal.
 */
export const writeJson = (output: Output, document: unknown): Promise<void> =>
  output.write(`${jsonText(document, output.isTerminal ? 2 : 0)}\n`);

/** Writes one JSON document of a stream on a line of its own. */
export const writeJsonLine = (output: Output, document: unknown): Promise<void> =>
  output.write(`${jsonText(document)}\n`);

/**
 * A sequence of Curfew's own, or a run of other text. What a command writes is coloured, and no
 * more: a text that was forgotten on its way here hides and moves nothing. The live view of `curfew
 * watch` moves the cursor, too.
 */
const sequenceOrText = {
  // oxlint-disable-next-line no-control-regex -- the escape character is what is looked for
  colours: /(\u001B\[(?:[0-47]|[2349]\d)m)|[\s\S][^\u001B]*/gu,
  // oxlint-disable-next-line no-control-regex -- the same
  view: /(\u001B\[[\d;?]{0,20}[A-Za-z])|[\s\S][^\u001B]*/gu,
} as const;

/** A carriage return before a line feed misleads no terminal, and CSV needs it (RFC 4180). */
const visible = (text: string): string => text.split('\r\n').map(visibleLines).join('\r\n');

/**
 * Makes control characters visible before a terminal, as the last check of what a command writes.
 * Curfew's own sequences pass on a terminal only.
 */
export const shown = (text: string, isTerminal: boolean, own: keyof typeof sequenceOrText = 'colours'): string =>
  isTerminal
    ? text.replace(sequenceOrText[own], (part, sequence?: string) => sequence ?? visible(part))
    : visible(text);

/**
 * Returns the width in which texts are set: that of the terminal, 100 without one. An old console
 * of Windows goes to the next line once the last column is written, so a full line would be
 * followed by an empty one. Some terminals tell no width, or 0.
 */
export const widthFor = (
  columns: number | undefined,
  isTerminal: boolean,
  platform: NodeJS.Platform = system,
): number => {
  if (!isTerminal) return withoutTerminal;
  const known = columns === undefined || columns <= 0 ? usualColumns : columns;
  return platform === 'win32' ? Math.max(1, known - 1) : known;
};

const withoutTerminal = 100;
const usualColumns = 80;

/**
 * A listener for errors of a stream on a terminal. One that was closed is no error: SIGHUP says so,
 * too, and what is being ended is still seen through.
 * @throws every other error
 */
export const unlessHungUp = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EIO') throw error;
};

/** Returns our streams. A pipe closed by `head` is no error: status 0, and no message. */
export const processOutput = (): Output => {
  const { stdout } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // EOF: what Windows may say for it.
    if (error.code === 'EPIPE' || error.code === 'EOF') process.exit(0);
    unlessHungUp(error);
  });
  const terminal = stdout.isTTY;
  let warned = false;
  return {
    colour: terminal && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
    columns: widthFor(stdout.columns, terminal),
    isTerminal: terminal,
    write: (text) => new Promise((resolve) => stdout.write(shown(text, terminal), () => resolve())),
    // On demand: most commands never warn, and Node creates the stream at first use.
    warn: (said) => {
      if (!warned) process.stderr.on('error', unlessHungUp);
      warned = true;
      process.stderr.write(`${visibleLines(words(said))}\n`);
    },
  };
};
