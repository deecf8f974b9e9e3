import { Command } from 'commander';
import { afterAll, expect, test } from 'vitest';
import { commandLineForms } from '../../../app/text/catalogue/command-line/index.ts';
import { germanForms } from '../../../app/text/catalogue/index.ts';
import { german } from '../../../main/cli/common/german.ts';
import type { Output } from '../../../main/cli/common/output.ts';
import { speak } from '../../../main/cli/common/words.ts';
import { inWordsOfLanguage } from '../../../main/cli/program/help-words.ts';
import { addCommands } from '../../../main/cli/program/program.ts';
import { leftInEnglish } from '../../left-in-english.ts';

afterAll(() => speak(null));

const output: Output = {
  colour: false,
  columns: 100,
  isTerminal: false,
  write: async () => undefined,
  warn: () => undefined,
};

const helpOf = (command: Command): readonly (readonly [string, readonly string[]])[] => [
  [
    command.name(),
    command
      .helpInformation()
      .split('\n')
      .map((line) => line.trim()),
  ],
  ...command.commands.flatMap(helpOf),
];

test('the help of every command is German where that is spoken', () => {
  const program = new Command('curfew');
  addCommands(program, output, () => undefined);
  const english = helpOf(program);
  speak(german);
  inWordsOfLanguage(program);
  const inGerman = helpOf(program);
  expect(english.length).toBeGreaterThan(35);
  expect(inGerman.map(([name]) => name)).toEqual(english.map(([name]) => name));
  expect(
    inGerman.flatMap(([name, lines], at) => leftInEnglish(english[at]?.[1] ?? [], lines).map((line) => [name, line])),
  ).toEqual([]);
});

test('a sentence that both languages share would be found', () => {
  const forms: Readonly<Record<string, string>> = { ...germanForms, ...commandLineForms };
  const english = ['Nothing to end.', 'curfew scan'];
  expect(leftInEnglish(english, english)).toEqual(['Nothing to end.']);
  expect(leftInEnglish(english, [forms['Nothing to end.'] ?? ''])).toEqual([]);
  expect(leftInEnglish(['Start: no pass has run yet'], ['Beginn: no pass has run yet'])).toContain('no pass has run');
});
