import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCommandLine } from '../../../main/os/windows/kernel/command-line.ts';
import { batchLineOf, commandLineOf } from '../../../main/os/programs/command-text.ts';

const word = string({
  unit: constantFrom('a', ' ', '\t', '"', '\\', '%', '&', 'ü', "'", '^', '!'),
  maxLength: 12,
});
const program = constantFrom('tool', String.raw`C:\Program Files\tool.exe`, 'a b');

describe('the command line of a program', () => {
  test('is read back as it was meant, whatever is in the words', () => {
    assert(
      property(program, array(word, { maxLength: 6 }), (name, args) => {
        expect(splitCommandLine(commandLineOf([name, ...args]))).toEqual([name, ...args]);
      }),
    );
  });
});

/** The part behind /c without its outer quotation marks, which cmd.exe takes away. */
const inner = (line: string): string => /\/c "(?<rest>.*)"$/u.exec(line)?.groups?.['rest'] ?? '';

/** What cmd.exe makes of `%`: two variables that are empty, and a sign that stands alone. */
const expanded = (text: string): string => text.replaceAll('%%cd:~,%', '%');

describe('the command line of a batch file', () => {
  test('keeps every sign of cmd.exe inside of quotation marks, and is read back', () => {
    assert(
      property(array(word, { maxLength: 6 }), (args) => {
        const line = batchLineOf(String.raw`C:\a b\npm.cmd`, args);
        expect(line).not.toBeNull();
        const said = expanded(inner(line ?? ''));
        // Every other part lies between two quotation marks.
        const outside = said.split('"').filter((_, index) => index % 2 === 0);
        expect(outside.every((part) => part === '' || part === ' ')).toBe(true);
        expect(said.split('"').length % 2).toBe(1);
        expect(splitCommandLine(said)).toEqual([String.raw`C:\a b\npm.cmd`, ...args]);
      }),
    );
  });

  test('is refused where a line would end in it', () => {
    assert(
      property(word, constantFrom('\n', '\r', '\0'), word, (before, sign, after) => {
        expect(batchLineOf('C:\\x.cmd', [`${before}${sign}${after}`])).toBeNull();
      }),
    );
  });
});
