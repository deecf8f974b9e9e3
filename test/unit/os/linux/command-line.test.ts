import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentsOf, cutMark } from '../../../../main/os/linux/proc/command-texts.ts';

test.each([
  ['', []],
  ['sleep\u00003600\u0000', ['sleep', '3600']],
  ['bash\u0000-c\u0000echo "a b"\nsleep 1\u0000', ['bash', '-c', 'echo "a b"\nsleep 1']],
  ['git\u0000commit\u0000-m\u0000\u0000', ['git', 'commit', '-m', '']],
  ['\u0000-x\u0000', ['', '-x']],
  // A title written over the argument area: no NUL at all, or padding behind it.
  ['claude', ['claude']],
  ['nginx: worker process', ['nginx: worker process']],
  ['sshd: root@pts/0\u0000\u0000\u0000\u0000\u0000', ['sshd: root@pts/0']],
  ['postgres: writer   \u0000\u0000\u0000', ['postgres: writer']],
  ['\u0000\u0000\u0000', []],
])('%j', (text, expected) => {
  expect(argumentsOf(text, false)).toEqual(expected);
});

test('arguments come back as they were given, but for empty ones that look like padding', () => {
  const argument = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(argument, { minLength: 2 }), (list) => {
      fc.pre(list.slice(1).some((one) => one !== ''));
      expect(argumentsOf(list.map((one) => `${one}\0`).join(''), false)).toEqual(list);
    }),
  );
});

test('a cut command line is marked in its last argument only', () => {
  expect(argumentsOf('cc\0a.c\0b', true)).toEqual(['cc', 'a.c', `b${cutMark}`]);
  expect(argumentsOf('xxxx', true)).toEqual([`xxxx${cutMark}`]);
});
