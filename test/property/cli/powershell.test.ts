import { Command } from 'commander';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { definitionOf, everyCommand, type CommandDefinition } from '../../../main/cli/completion/definition.ts';
import { powershellCompletion } from '../../../main/cli/completion/powershell.ts';
import { processOutput } from '../../../main/cli/common/output.ts';
import { addCommands } from '../../../main/cli/program/program.ts';

/** What PowerShell takes for a quotation mark: about_Quoting_Rules, and its tokenizer. */
const singleQuotes = "'‘’‚‛";

/**
 * Takes a script apart as PowerShell's tokenizer does, as far as this one goes: texts in single
 * quotes and all else. Null: a text does not end.
 */
const tokens = (script: string): { readonly texts: readonly string[]; readonly code: string } | null => {
  const texts: string[] = [];
  let code = '';
  for (let at = 0; at < script.length; at += 1) {
    const sign = script.charAt(at);
    if (sign === '#') {
      while (at < script.length && script.charAt(at) !== '\n') at += 1;
      continue;
    }
    if (!singleQuotes.includes(sign)) {
      code += sign;
      continue;
    }
    let text = '';
    for (at += 1; ; at += 1) {
      if (at >= script.length) return null;
      if (!singleQuotes.includes(script.charAt(at))) text += script.charAt(at);
      else if (singleQuotes.includes(script.charAt(at + 1)) && at + 1 < script.length) text += script.charAt((at += 1));
      else break;
    }
    texts.push(text);
    code += '_';
  }
  return { texts, code };
};

const balanced = (code: string): boolean => {
  const open: string[] = [];
  const pairs: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };
  for (const sign of code) {
    if ('({['.includes(sign)) open.push(sign);
    else if (sign in pairs && open.pop() !== pairs[sign]) return false;
  }
  return open.length === 0;
};

const text = fc.string({
  unit: fc.constantFrom('a', ' ', "'", '’', '"', '$', '`', '(', ')', '}', '#', '\n', 'ü', '…', '%'),
  maxLength: 20,
});
const name = fc.stringMatching(/^[a-z]{1,6}(?:-[a-z]{1,4})?$/u);
const option = fc.record({
  short: fc.constant(null),
  long: name.map((one) => `--${one}`),
  value: fc.option(fc.record({ name: fc.constantFrom('file', 'duration'), choices: fc.array(name, { maxLength: 3 }) })),
  text,
});
const leaf: fc.Arbitrary<CommandDefinition> = fc.record({
  name,
  text,
  options: fc.uniqueArray(option, { maxLength: 4, selector: ({ long }) => long }),
  arguments: fc.array(
    fc.record({
      name,
      choices: fc.array(name, { maxLength: 3 }),
      text,
      required: fc.boolean(),
      variadic: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  commands: fc.constant([]),
  startsProgram: fc.boolean(),
});
const program: fc.Arbitrary<CommandDefinition> = leaf.chain((top) =>
  fc
    .uniqueArray(leaf, { maxLength: 4, selector: (one) => one.name })
    .map((commands) => ({ ...top, name: 'curfew', commands })),
);

describe('the completion script for PowerShell', () => {
  test('is whole and ASCII, whatever the words of commands are', () => {
    fc.assert(
      fc.property(program, (definition) => {
        const script = powershellCompletion(definition);
        expect(script).toMatch(/^[\n -~]+$/u);
        const found = tokens(script);
        expect(found).not.toBeNull();
        expect(balanced(found?.code ?? '(')).toBe(true);
        // Nothing of a text is code: what the program's own words are made of stays the same.
        const words = everyCommand(definition).flatMap(({ command }) => command.options.map(({ long }) => long));
        for (const word of words) expect(found?.texts).toContain(word);
      }),
    );
  });

  test('adds no code for any text', () => {
    fc.assert(
      fc.property(program, text, (definition, other) => {
        const named = (words: string): CommandDefinition => ({
          ...definition,
          options: definition.options.map((one) => ({ ...one, text: words })),
        });
        const code = (words: string): string | undefined => tokens(powershellCompletion(named(words)))?.code;
        expect(code(other)).toBe(code('x'));
      }),
    );
  });
});

describe('of Curfew itself', () => {
  const own = new Command('curfew');
  addCommands(own, processOutput(), () => undefined);
  const definition = definitionOf(own);
  const found = tokens(powershellCompletion(definition));

  test('it offers every command and option', () => {
    for (const { path, command } of everyCommand(definition)) {
      expect(found?.texts).toContain(path.join(' '));
      for (const { long, value } of command.options) {
        expect(found?.texts).toContain(long);
        expect(found?.texts.includes([...path, long].join(' '))).toBe(value !== null || path.length === 0);
      }
    }
  });

  test('no two keys of a table differ in case only: PowerShell takes them for one', () => {
    const keys = everyCommand(definition).flatMap(({ path, command }) => [
      path.join(' '),
      ...command.options.flatMap(({ short, long }) => [
        [...path, long].join(' '),
        ...(short === null ? [] : [[...path, short].join(' ')]),
      ]),
    ]);
    expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(new Set(keys).size);
  });
});
