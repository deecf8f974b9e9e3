import { redactOutput } from '../../app/format/secrets/redact-output.ts';
import { readSync } from 'node:fs';
import { redactCommand } from '../../app/format/secrets/redact.ts';
import { withOutput } from './output-file.ts';

/** A part of an output file, secrets redacted. Positions are bytes of the file. */
export interface OutputPart {
  readonly text: string;
  readonly fromByte: number;
  readonly nextByte: number;
  readonly fileBytes: number;
  /** The file is shorter than what was read before: it was rewritten. */
  readonly restarted: boolean;
}

/** Upper bound of one part in bytes. */
const maxBytes = 65_536;
/** How far back the start of a line is searched for, in bytes. */
const maxBefore = 8192;
/** An unfinished line is returned after this many ms: until then it may be half a secret. */
const stillMs = 250;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || isLineEnd(byte);
/** Returns whether a byte is a continuation byte of UTF-8, RFC 3629. */
const isContinuation = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;

const read = (fd: number, from: number, length: number): Buffer => {
  const buffer = Buffer.alloc(Math.max(0, length));
  return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from));
};

/** Returns where a buffer's last whole character ends; a cut one has at most three bytes. */
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

/** Returns how much may be returned: whole lines, and whole words of an unfinished line. */
const givable = (buffer: Buffer, reachesEnd: boolean, isStill: boolean): number => {
  if (reachesEnd && isStill) return endOfCharacters(buffer);
  const line = lastIndexWhere(buffer, isLineEnd) + 1;
  if (line > 0 || reachesEnd) return line;
  const word = lastIndexWhere(buffer, isBlank) + 1;
  return word > 0 ? word : endOfCharacters(buffer);
};

/** Returns where a tail may begin: at a line, else at a word, else at a character. */
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

/**
 * Redacts the continuation of a line whose beginning was returned before. Hides what only the whole
 * line reveals as a secret, so that a request for its second half does not expose it.
 */
const redactAfter = (before: string, text: string): string => {
  if (before === '') return redactOutput(text);
  const end = /[\n\r]/u.exec(text)?.index ?? text.length;
  const head = redactCommand(before);
  const whole = redactCommand(before + text.slice(0, end));
  // What was returned of a line counts as its beginning, so no more of it is.
  const rest = Buffer.byteLength(before) >= maxBefore ? '' : whole.startsWith(head) ? whole.slice(head.length) : '***';
  return rest + redactOutput(text.slice(end));
};

const lineBefore = (fd: number, from: number): string => {
  const length = Math.min(maxBefore, from);
  const buffer = read(fd, from - length, length);
  const start = lastIndexWhere(buffer, isLineEnd) + 1;
  return buffer.toString('utf8', start);
};

/**
 * Returns a part of a job's output from a byte on, at most 64 KiB; without a byte its last part,
 * which begins with a line. Ends with a line, or with an unfinished one that has been still for a
 * moment; never within a character. Calling it again from `nextByte` follows the file. Null if the
 * file is missing or not trusted (see `withOutput`). Of a line longer than `redactedLengthLimit`
 * only the beginning is returned.
 * @param nowMs wall clock, milliseconds
 */
export const outputPart = (path: string, uid: number, fromByte: number | null, nowMs: number): OutputPart | null =>
  withOutput(path, uid, ({ fd, bytes, changedAtMs }) => {
    const restarted = fromByte !== null && fromByte > bytes;
    const follows = fromByte !== null && !restarted;
    const wanted = follows ? fromByte : Math.max(0, bytes - maxBytes);
    const buffer = read(fd, wanted, Math.min(maxBytes, bytes - wanted));
    const skipped = follows || wanted === 0 ? 0 : firstStart(buffer);
    const body = buffer.subarray(skipped);
    const reachesEnd = wanted + buffer.length >= bytes;
    // A clock set back must not withhold the last line for ever.
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
  });
