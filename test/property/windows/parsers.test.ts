import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCommandLine } from '../../../main/os/windows/kernel/command-line.ts';
import { windowsProgram } from '../../../app/paths/path.ts';
import { blockNames, environmentIn } from '../../../main/os/windows/kernel/environment-block.ts';

/** Quotes an argument as libuv, Python and .NET do. */
const quoted = (word: string): string =>
  word !== '' && !/[\s"]/u.test(word) ? word : `"${word.replace(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, '$1$1')}"`;

const word = fc.string({
  unit: fc.constantFrom('a', 'ä', ' ', '\t', '"', '\\', "'", '&', '%', '\n', '-'),
  maxLength: 12,
});

test('what programs quote is what comes back', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (words) => {
      const line = ['"C:\\a b\\x.exe"', ...words.map(quoted)].join(' ');
      // Only blanks and tabs part words; the others are quoted all the same.
      expect(splitCommandLine(line)).toEqual(['C:\\a b\\x.exe', ...words]);
    }),
  );
});

const name = fc.string({ unit: fc.constantFrom('A', 'b', '_', '1', 'é', '('), minLength: 1, maxLength: 6 });
const value = fc.string({ unit: fc.constantFrom('x', '=', ' ', '"', 'ß', '\u{1F600}'), maxLength: 10 });

test('listed variables come out of a block, and nothing else', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, value), { maxLength: 10 }),
      fc.array(name, { maxLength: 3 }),
      (entries, asked) => {
        const text = `${entries.map(([key, content]) => `${key}=${content}\0`).join('')}\0`;
        const { markers } = environmentIn(Buffer.from(text, 'utf16le'), blockNames(asked));
        const wanted = new Map<string, string>();
        const names = blockNames(asked);
        for (const [key, content] of entries) {
          const listed = names.get(key.toUpperCase());
          if (listed !== undefined && !wanted.has(listed)) wanted.set(listed, content);
        }
        expect(markers).toEqual(Object.fromEntries(wanted));
      },
    ),
  );
});

test('a program path has no backslash, and no prefix of the kernel', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('C', ':', '\\', '/', 'a', '.exe', 'UNC', ' ') }), (path) => {
      expect(windowsProgram(path)).not.toContain('\\');
      expect(windowsProgram(`\\\\?\\C:\\x\\${path}y`)).toBe(windowsProgram(`C:\\x\\${path}y`));
    }),
  );
});
