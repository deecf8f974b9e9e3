import { describe, expect, test } from 'vitest';
import { type CommandText, CommandTexts, cutMark } from '../../../../main/os/linux/proc/command-texts.ts';

const own = 1000;
const other = 1001;

/** Reads a command line as a look does. */
const read = (texts: CommandTexts, uid: number | null, line: string): CommandText => {
  const limit = texts.limit(uid);
  return texts.once(uid, line.slice(0, limit.bytes), line.length >= limit.bytes, limit);
};

/** A tool call of this many characters. */
const toolCall = (length: number, mark = ''): string => `/bin/bash\0-c\0${mark}${'x'.repeat(length)}\0`;

describe('command lines', () => {
  test('of the own user are whole, of others as far as names need', () => {
    const texts = new CommandTexts(own);
    expect(read(texts, own, toolCall(131_000)).argv[2]).toHaveLength(131_000);
    for (const uid of [other, 0, null]) {
      const { argv, text } = read(texts, uid, toolCall(240_000));
      expect(argv.slice(0, 2)).toEqual(['/bin/bash', '-c']);
      expect(argv[2]?.endsWith(cutMark)).toBe(true);
      expect(text.length).toBe(4_096);
    }
  });

  test('that thousands of forks share are kept once', () => {
    const texts = new CommandTexts(own);
    const first = read(texts, own, toolCall(240_000));
    for (let count = 0; count < 3000; count += 1) expect(read(texts, own, toolCall(240_000))).toBe(first);
    expect(texts.limit(own).bytes).toBeGreaterThan(240_000);
  });

  test.each([
    ['another user', other, 30e6],
    ['the own user', own, 140e6],
  ])('of %s, 20,000 different ones, cost little more than the bound', (_who, uid, bound) => {
    const texts = new CommandTexts(own);
    let cost = 0;
    for (let count = 0; count < 20_000; count += 1) {
      const { text, argv } = read(texts, uid, toolCall(count % 100 === 0 ? 240_000 : 20_000, `${count}`));
      cost += 2 * text.length + 32 * argv.length;
      expect(argv.slice(0, 2)).toEqual(['/bin/bash', '-c']);
    }
    expect(cost).toBeLessThan(bound);
    // And the other side is as it was.
    expect(texts.limit(uid === own ? other : own)).toEqual(new CommandTexts(own).limit(uid === own ? other : own));
  });

  test('of others with a hundred thousand tiny arguments keep few of them', () => {
    const { argv } = read(new CommandTexts(own), other, 'a\0'.repeat(120_000));
    expect(argv).toHaveLength(256);
    expect(argv.at(-1)).toBe(`a${cutMark}`);
  });

  test('that no process has any more are forgotten, and leave room', () => {
    const texts = new CommandTexts(own);
    const kept = read(texts, own, toolCall(100, 'kept'));
    for (let count = 0; count < 200; count += 1) read(texts, own, toolCall(250_000, `${count}`));
    expect(texts.limit(own).bytes).toBeLessThan(100_000);
    texts.keepOnly(new Map([[1, kept]]));
    expect(texts.limit(own).bytes).toBe(262_144);
    expect(read(texts, own, toolCall(100, 'kept'))).toBe(kept);
  });
});
