import { closeSync, readSync } from 'node:fs';
import { redactCommand } from '../../app/format/redact.ts';
import { openOutput } from './output-file.ts';

/** A part of an output file, secrets redacted. Positions are bytes of the file. */
export interface OutputPart {
  readonly text: string;
  readonly fromByte: number;
  readonly nextByte: number;
  readonly fileBytes: number;
  /** The file is shorter than what was read before: it was written anew. */
  readonly restarted: boolean;
}

/** At most so much at once, bytes. */
const maxBytes = 65_536;
/** So far back the beginning of a line is looked for, bytes. */
const maxBefore = 8192;
/** A line that isn't finished is given when nothing was added to it for so long, milliseconds: until then it may be half a secret. */
const stillMs = 250;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || isLineEnd(byte);
/** A byte within a character of UTF-8, RFC 3629. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

const read = (fd: number, from: number, length: number): Buffer => {
  const buffer = Buffer.alloc(Math.max(0, length));
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from));
};

/** Where the last whole character of a buffer ends; a character that is cut off has three bytes at most. */
const endOfCharacters = (buffer: Buffer): number => {
  for (let back = 1; back <= Math.min(3, buffer.length); back += 1) {
    const byte = buffer[buffer.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1;
    return needed > back ? buffer.length - back : buffer.length;
  }
  return buffer.length;
};

const lastIndexWhere = (buffer: Buffer, is: (byte: number | undefined) => boolean): number => {
  for (let index = buffer.length - 1; index >= 0; index -= 1) if (is(buffer[index])) return index;
  return -1;
};

/** How much of a buffer may be given: whole lines; of a line that has no end yet as much as can't be half a word. */
const givable = (buffer: Buffer, reachesEnd: boolean, isStill: boolean): number => {
  if (reachesEnd && isStill) return endOfCharacters(buffer);
  const line = lastIndexWhere(buffer, isLineEnd) + 1;
  if (line > 0 || reachesEnd) return line;
  const word = lastIndexWhere(buffer, isBlank) + 1;
  return word > 0 ? word : endOfCharacters(buffer);
};

/** Where a tail may begin: at a line, else at a word, else at a character. */
const firstStart = (buffer: Buffer): number => {
  const line = buffer.findIndex(isLineEnd) + 1;
  if (line > 0 && line < buffer.length) return line;
  const word = buffer.findIndex(isBlank) + 1;
  if (word > 0 && word < buffer.length) return word;
  return Math.max(
    0,
    buffer.findIndex((byte) => !isContinuation(byte)),
  );
};

/** Line by line, with their ends as they are: a stray quote of one line must not hide the next. */
const redactLines = (text: string): string =>
  text
    .split(/(?<=[\n\r])/u)
    .map((line) => {
      const content = line.replace(/[\n\r]$/u, '');
      return redactCommand(content) + line.slice(content.length);
    })
    .join('');

/**
 * Redacts what follows on the beginning of a line that was given before. What only the whole line shows to be a secret is hidden, and
 * so nobody gets at one by asking for its second half.
 */
const redactAfter = (before: string, text: string): string => {
  if (before === '') return redactLines(text);
  const end = /[\n\r]/u.exec(text)?.index ?? text.length;
  const head = redactCommand(before);
  const whole = redactCommand(before + text.slice(0, end));
  // What was given of a line as long as that was its beginning, and no more of it is.
  const rest = Buffer.byteLength(before) >= maxBefore ? '' : whole.startsWith(head) ? whole.slice(head.length) : '***';
  return rest + redactLines(text.slice(end));
};

const lineBefore = (fd: number, from: number): string => {
  const length = Math.min(maxBefore, from);
  const buffer = read(fd, from - length, length);
  const start = lastIndexWhere(buffer, isLineEnd) + 1;
  return buffer.toString('utf8', start);
};

/**
 * A part of a job's output from a byte on, at most 64 KiB; without a byte its last part, which begins with a line. Ends with a line too,
 * or with an unfinished one that nobody has added to for a moment; never within a character. Asked again from `nextByte` it follows
 * the file. null when there is no such file that can be believed (see `openOutput`).
 * Of a line that is longer than `redactedLengthLimit` the beginning is given.
 * @param nowMs wall clock, milliseconds
 */
export const outputPart = (path: string, uid: number, fromByte: number | null, nowMs: number): OutputPart | null => {
  const output = openOutput(path, uid);
  if (output === null) return null;
  const { fd, bytes, changedAtMs } = output;
  try {
    const restarted = fromByte !== null && fromByte > bytes;
    const follows = fromByte !== null && !restarted;
    const wanted = follows ? fromByte : Math.max(0, bytes - maxBytes);
    const buffer = read(fd, wanted, Math.min(maxBytes, bytes - wanted));
    const skipped = follows || wanted === 0 ? 0 : firstStart(buffer);
    const body = buffer.subarray(skipped);
    const reachesEnd = wanted + buffer.length >= bytes;
    // A clock that was put back must not hold the last line back for ever.
    const isStill = Math.abs(nowMs - changedAtMs) >= stillMs;
    const given = body.subarray(0, givable(body, reachesEnd, isStill));
    const from = wanted + skipped;
    const before = follows && from > 0 ? lineBefore(fd, from) : '';
    return {
      text: redactAfter(before, given.toString('utf8')),
      fromByte: from,
      nextByte: from + given.length,
      fileBytes: bytes,
      restarted,
    };
  } finally {
    closeSync(fd);
  }
};
