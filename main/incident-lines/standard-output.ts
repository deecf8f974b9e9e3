import { fstatSync, writeSync } from 'node:fs';
import { codeOf, messageOf } from '../../app/format/error-message.ts';
import { lineText, priorityOf } from '../../app/incident-lines/journal-fields.ts';
import type { Line } from '../../app/incident-lines/line.ts';

/** What came of a line: taken, or why not. */
export type Taken = { readonly sent: true } | { readonly sent: false; readonly why: string };

/** Whether a descriptor is the journal's, by JOURNAL_STREAM of systemd.exec(5). */
const isJournal = (fd: number, named: string | undefined): boolean => {
  if (named === undefined) return false;
  try {
    const { dev, ino } = fstatSync(fd);
    return named === `${dev}:${ino}`;
  } catch {
    // A descriptor that is closed is no journal's.
    return false;
  }
};

const isFull = (error: unknown): boolean => codeOf(error) === 'EAGAIN';

/** Until the rest of a line that went out in part is tried again, milliseconds. */
const againMs = 200;

/**
 * Writes lines to a descriptor, standard output as a rule. Never waits for a slow reader and never
 * throws, and a line is whole or not there: the rest of one that went out in part goes before the
 * next. To a journal each begins with its priority (sd-daemon(3)), which journald takes off.
 *
 * Not through the stream of Node: it keeps in memory what a reader does not take, and an error of
 * it ends the process.
 */
export class StandardOutput {
  readonly #fd: number;
  readonly #withPriority: boolean;
  #rest: Uint8Array = new Uint8Array();
  #again: NodeJS.Timeout | null = null;

  /** @param environment where systemd says which stream is the journal's */
  constructor(fd: number, environment: Readonly<Record<string, string | undefined>>) {
    this.#fd = fd;
    this.#withPriority = isJournal(fd, environment['JOURNAL_STREAM']);
  }

  /** Writes a line. */
  write(line: Line): Taken {
    try {
      if (!this.#flush()) return { sent: false, why: 'standard output is full, its reader does not read' };
      this.#rest = Buffer.from(`${this.#withPriority ? `<${priorityOf(line)}>` : ''}${lineText(line)}\n`);
      const whole = this.#rest.length;
      this.#flush();
      // Nothing of it went out: then it is lost, and not to be told twice.
      if (this.#rest.length < whole) {
        if (this.#rest.length > 0) this.#tryAgain();
        return { sent: true };
      }
      this.#rest = new Uint8Array();
      return { sent: false, why: 'standard output is full, its reader does not read' };
    } catch (error) {
      this.#rest = new Uint8Array();
      return { sent: false, why: `standard output can't be written: ${messageOf(error)}` };
    }
  }

  /** The reader of half a line is not to wait for the next event. */
  #tryAgain(): void {
    if (this.#again !== null) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      try {
        if (!this.#flush()) this.#tryAgain();
      } catch {
        // Its reader is gone, and the next line says so.
        this.#rest = new Uint8Array();
      }
    }, againMs);
    this.#again.unref();
  }

  /** Writes what is left; false if not all could be. */
  #flush(): boolean {
    while (this.#rest.length > 0) {
      try {
        this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest));
      } catch (error) {
        if (isFull(error)) return false;
        throw error;
      }
    }
    return true;
  }
}
