import { appendFileSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outputPart, type OutputPart } from '../../../main/output/output-part.ts';

const uid = process.getuid?.() ?? 0;
const longAgo = 60_000;
let folder = '';
let path = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'curfew-output-'));
  path = join(folder, 'task.output');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Reads like a window, a moment after the last write or long after it. */
const part = (fromByte: number | null, afterMs = longAgo): OutputPart => {
  const nowMs = 1_795_000_000_000;
  utimesSync(path, (nowMs - afterMs) / 1000, (nowMs - afterMs) / 1000);
  const read = outputPart(path, uid, fromByte, nowMs);
  if (read === null) throw new Error('there is an output');
  return read;
};

/** Follows a file until it stops growing. */
const follow = (fromByte: number, afterMs = longAgo): { text: string; nextByte: number } => {
  let text = '';
  let nextByte = fromByte;
  for (;;) {
    const read = part(nextByte, afterMs);
    if (read.nextByte === nextByte) return { text, nextByte };
    expect(read.fromByte).toBe(nextByte);
    expect(read.nextByte - read.fromByte).toBeLessThanOrEqual(65_536);
    text += read.text;
    nextByte = read.nextByte;
  }
};

describe('following an output', () => {
  test('it arrives whole and in order, written in pieces of any size', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom('\n', '\r', '\r\n', 'naïve ', '日本語', '🙂', ' ', 'x'.repeat(150)),
        fc.string({ maxLength: 12, unit: 'grapheme' }).map((text) => text.replaceAll(/[=:@\-*"'\\]/gu, '.')),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(pieces, fc.boolean(), (list, cuts) => {
        writeFileSync(path, '');
        const bytes = Buffer.from(list.join(''));
        let text = '';
        let nextByte = 0;
        // In the middle of characters too.
        for (let at = 0; at < bytes.length; at += cuts ? 7 : 5000) {
          appendFileSync(path, bytes.subarray(at, at + (cuts ? 7 : 5000)));
          const read = follow(nextByte, at % 2 === 0 ? 0 : longAgo);
          text += read.text;
          nextByte = read.nextByte;
        }
        expect(text + follow(nextByte).text).toBe(list.join(''));
      }),
      { numRuns: 60 },
    );
  });

  test('a line longer than a part doesn’t delay what follows it; its beginning is shown', () => {
    writeFileSync(path, `${'word '.repeat(30_000)}\nend\n`);
    const { text } = follow(0);
    expect(text).toMatch(/^word word.*…\nend\n$/su);
    expect(text.length).toBeLessThan(20_000);
  });

  test('the last part begins with a line', () => {
    writeFileSync(path, Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join(''));
    const read = part(null);
    expect(read.text.split('\n')[0]).toMatch(/^line \d+$/u);
    expect(read.text.endsWith('line 19999\n')).toBe(true);
    expect(read).toMatchObject({ restarted: false, nextByte: read.fileBytes });
  });
});

describe('a secret', () => {
  const secret = 'sk-ant-api03-abcdefghijklmnop1234567890';

  test('is hidden, and so is each half of it, from any starting point', () => {
    writeFileSync(path, `key ${secret}\npassword: hunter2secret\nend\n`);
    const { fileBytes } = part(0);
    for (let from = 0; from <= fileBytes; from += 1) {
      const { text } = part(from);
      for (let at = 14; at < secret.length - 8; at += 1) expect(text).not.toContain(secret.slice(at, at + 8));
      expect(text).not.toContain('hunter2');
      expect(text).not.toContain('ter2secret');
    }
  });

  test('that arrives in two writes is not shown half', () => {
    writeFileSync(path, `key ${secret.slice(0, 9)}`);
    expect(part(0, 0)).toMatchObject({ text: '', nextByte: 0 });
    appendFileSync(path, `${secret.slice(9)}\n`);
    expect(part(0, 0).text).toBe('key ***\n');
  });

  test('an unanswered prompt is shown, and the answer is not', () => {
    writeFileSync(path, 'Password: ');
    const question = part(0);
    expect(question.text).toBe('Password: ');
    appendFileSync(path, 'hunter2secret\nthanks\n');
    expect(part(question.nextByte).text).toBe('***\nthanks\n');
  });
});
