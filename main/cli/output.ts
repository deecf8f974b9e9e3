import { styleText } from 'node:util';

/** Where a command writes: documents and texts for people to standard output, warnings and progress to standard error. */
export interface Output {
  /** True where colour is wanted: a terminal, and NO_COLOR is not set (https://no-color.org). */
  readonly colour: boolean;
  /** Columns of the terminal; 100 where there is none. */
  readonly columns: number;
  readonly isTerminal: boolean;
  /** Writes text and resolves when it was taken, so that a slow reader slows the writer. A reader that went away ends quietly. */
  readonly write: (text: string) => Promise<void>;
  readonly warn: (text: string) => void;
}

type Style = Parameters<typeof styleText>[0];

/** Paints text where colour is wanted. */
export const paint = (output: Pick<Output, 'colour'>, style: Style, text: string): string =>
  output.colour ? styleText(style, text, { validateStream: false }) : text;

/** One JSON document, on a line of its own. */
export const writeJson = (output: Output, document: unknown): Promise<void> =>
  output.write(`${JSON.stringify(document, null, output.isTerminal ? 2 : 0)}\n`);

/** The process's own streams. `head` closing the pipe is no error of ours: the process then ends with status 0 and says nothing. */
export const processOutput = (): Output => {
  const { stdout } = process;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const terminal = stdout.isTTY;
  return {
    colour: terminal && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
    columns: terminal ? stdout.columns : 100,
    isTerminal: terminal,
    write: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
    // Asked for only now: most commands never warn, and Node makes a stream for whoever asks.
    warn: (text) => void process.stderr.write(`${text}\n`),
  };
};
