import { describe, expect, test } from 'vitest';
import { jsonText, terminalSafeJson } from '../../../app/format/json.ts';

/** One of each kind that a terminal obeys or doesn't show. */
const hostile = [
  0x7f, 0x80, 0x85, 0x90, 0x9b, 0x9d, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d, 0x200e, 0x200f, 0x2028,
  0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x3164, 0xfe0f,
  0xfeff, 0xfff9, 0xffa0, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100,
];

describe('JSON for a terminal', () => {
  test.for(hostile.map((code) => [code.toString(16), code] as const))('U+%s is escaped', ([, code]) => {
    const value = { [`k${String.fromCodePoint(code)}`]: `a${String.fromCodePoint(code)}b` };
    const text = jsonText(value);
    expect(text).toMatch(/^[ -~]*$/u);
    expect(JSON.parse(text)).toEqual(value);
  });

  test('what has a picture stays as it is', () => {
    expect(jsonText('Grüße, 日本語 😀')).toBe('"Grüße, 日本語 😀"');
  });

  test('escaping again changes nothing', () => {
    const text = jsonText(['\u202E\\u202e', '\u001B[2J']);
    expect(terminalSafeJson(text)).toBe(text);
  });
});
