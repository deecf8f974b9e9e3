import { describe, expect, test } from 'vitest';
import { formatAge, formatLimit, formatMoment } from '../../../app/format/age.ts';
import { formatBytes } from '../../../app/format/bytes.ts';
import { shortCommand } from '../../../app/format/short-command.ts';
import { visibleText } from '../../../app/format/visible.ts';

test.each([
  [0, '0 s'],
  [38.9, '38 s'],
  [59, '59 s'],
  [60, '1 min'],
  [725, '12 min'],
  [3599, '59 min'],
  [3600, '1 h'],
  [59_580, '16 h 33 min'],
  [172_799, '47 h 59 min'],
  [172_800, '2 d'],
  [273_600, '3 d 4 h'],
  [-5, '0 s'],
  [Number.NaN, 'an unknown time'],
  [Number.POSITIVE_INFINITY, 'an unknown time'],
])('an age of %d s is %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

test.each([
  [0, '0 s'],
  [0.5, '0.5 s'],
  [90, '1 min 30 s'],
  [1800, '30 min'],
  [14_400, '4 h'],
  [86_400, '1 d'],
  [90_061, '1 d 1 h 1 min 1 s'],
  [Number.NaN, 'an unknown time'],
])('a limit of %d s is %s', (seconds, text) => {
  expect(formatLimit(seconds)).toBe(text);
});

test.each([
  [0, 'just now'],
  [-900, 'just now'],
  [-300_000, '5 min ago'],
  [40_000, 'in 40 s'],
  [Number.NaN, 'at an unknown time'],
])('a moment %d ms away is %s', (away, text) => {
  expect(formatMoment(1e12 + away, 1e12)).toBe(text);
});

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [12_345, '12 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1.1e9, '1.1 GB'],
  [38e9, '38 GB'],
  [2.5e12, '2.5 TB'],
  [5e18, '5000 PB'],
  [-1, '0 B'],
  [Number.NaN, '0 B'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

describe('what can’t be seen is shown', () => {
  test.each([
    ['a\nb', 'a⏎b'],
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['\0\t\r\u007f', '␀␉␍␡'],
    ['\u009b1m', '⟨U+009B⟩1m'],
    ['exe.\u202Egpj', 'exe.⟨U+202E⟩gpj'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['a\u200Bb\uFEFFc\u00ADd', 'a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d'],
    ['a\u2028b', 'a⟨U+2028⟩b'],
    ['a\uD800b', 'a⟨U+D800⟩b'],
    ['\u{E0041}', '⟨U+E0041⟩'],
  ])('%o', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test.each(['npm run dev', 'שלום עולם', '日本語', '👩‍💻 é', 'می‌خواهم', ''])('“%s” stays as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });
});

test.each(['\u0301', '\uFE0F', '\u{1F468}\u200D'])('a character that never ends (%j) fills no menu', (part) => {
  expect(shortCommand(`x${part.repeat(8000)}`, 48).length).toBeLessThan(800);
  expect(shortCommand(`${'a'.repeat(900)}${part}`, 48)).toBe(`${'a'.repeat(47)}…`);
  expect(shortCommand(`e${part}`, 48)).toBe(`e${part}`);
});
