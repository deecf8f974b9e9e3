import { rmSync } from 'node:fs';
import { writeWholeFile } from '../store/files/whole-file.ts';
import { readBoundedText } from '../os/files/own-file.ts';

/** Unchanged, it is written again after this time, milliseconds. */
const againMs = 30_000;
/** What is not written again within this many seconds is old. */
const minValidSeconds = 120;

/** What stands beside a line in another language than English. */
interface EnglishLine {
  /** The same in English, for documents. */
  readonly text: string;
  /** What the script says of an old one, in the other language. */
  readonly old: string;
}

/** What the status line's file says. `old`: no supervisor has written it lately. */
export type StatusLine =
  | { readonly kind: 'none' | 'old' }
  | { readonly kind: 'line'; readonly text: string; readonly english: string };

/**
 * The line that `curfew statusline` and agents' status bars show, as a file of two lines that a
 * shell can read: until when it holds (seconds since the epoch), and the text. In another language
 * than English two more: the text in English, and what is said once it is old. Only the supervisor
 * writes it.
 */
export class StatusLineFile {
  readonly #path: string;
  #written: { readonly text: string; readonly atMs: number } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Notes what the latest look saw, where that is new or the note grows old.
   * @throws the file system's error
   */
  note(text: string, nowMs: number, scanSeconds: number, english: EnglishLine | null = null): void {
    const before = this.#written;
    if (before?.text === text && Math.abs(nowMs - before.atMs) < againMs) return;
    // First, so that a disk that takes nothing is asked twice a minute and not at every look.
    this.#written = { text, atMs: nowMs };
    const until = Math.ceil(nowMs / 1000) + Math.max(minValidSeconds, 3 * scanSeconds);
    writeWholeFile(this.#path, `${until}\n${text}\n${english === null ? '' : `${english.text}\n${english.old}\n`}`);
  }

  /** Removes it: no supervisor watches any more. Throws the file system's error. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** Reads the file at a path. Never throws: what can't be read says nothing. */
export const readStatusLine = (path: string, nowMs: number): StatusLine => {
  let lines: readonly string[];
  try {
    lines = readBoundedText(path).split('\n');
  } catch {
    return { kind: 'none' };
  }
  const [until = '', text = '', english = ''] = lines;
  if (!/^\d{1,15}$/u.test(until) || text === '') return { kind: 'none' };
  return nowMs / 1000 > Number(until)
    ? { kind: 'old' }
    : { kind: 'line', text, english: english === '' ? text : english };
};
