import { expect, test } from 'vitest';
import { shown } from '../../../main/cli/common/output.ts';

test('only the sequences of Curfew itself reach a terminal, and none reaches a file', () => {
  expect(shown('\u001B[31mred\u001B[39m\n\tx', true)).toBe('\u001B[31mred\u001B[39m\n\tx');
  expect(shown('\u001B[31mred\u001B[39m\n\tx', false)).toBe('␛[31mred␛[39m\n\tx');
});

test('a sequence that is no colour of Curfew’s reaches a terminal from no command, and the view’s from the view', () => {
  for (const sequence of ['[2J', '[1;1H', '[?1049h', '[6n', '[8m', '[38;5;0m', '[21t']) {
    expect(shown(`a\u001B${sequence}b`, true)).toBe(`a␛${sequence}b`);
    expect(shown(`a\u001B${sequence}b`, true, 'view')).toBe(`a\u001B${sequence}b`);
  }
});

test.for([
  ['\u001B]0;title\u0007', '␛]0;title␇'],
  ['\u001BPq\u001B\\', '␛Pq␛\\'],
  ['a\u001B', 'a␛'],
  ['a\u009B2Jb', 'a⟨U+009B⟩2Jb'],
  ['a\rb\bc', 'a␍b␈c'],
  ['a\r\nb\r\r\n', 'a\r\nb␍\r\n'],
  ['a\u202Eb\u2028c', 'a⟨U+202E⟩b⟨U+2028⟩c'],
] as const)('%j is shown as what it is', ([given, expected]) => {
  expect(shown(given, true)).toBe(expected);
});

test('a text of a million escapes is shown in one pass', () => {
  expect(shown('\u001B['.repeat(1_000_000), true) === '␛['.repeat(1_000_000)).toBe(true);
});
