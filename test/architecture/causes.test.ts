import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breaks } from './breaks.ts';
import { causes } from './causes.ts';
import { project } from './planted.ts';

/** The texts that are a first argument or a key in a file of tests: its titles are among them. */
const titlesIn = (text: string): readonly string[] =>
  [...text.matchAll(/[({,]\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>[,:]/gsu)].map(
    ({ groups }) => groups?.['title'] ?? '',
  );

const missing = (named: typeof causes): readonly string[] =>
  Object.values(named)
    .flat()
    .filter(([file, title]) => {
      const path = join(project, 'test', file);
      return !existsSync(path) || !titlesIn(readFileSync(path, 'utf8')).some((one) => one.startsWith(title));
    })
    .map(([file, title]) => `${file}: ${title}`);

test('each cause of a wrong end has a test that plays it', () => {
  expect(Object.keys(causes).length).toBeGreaterThan(20);
  expect(Object.entries(causes).filter(([, tests]) => tests.length === 0)).toEqual([]);
  expect(missing(causes)).toEqual([]);
});

test('a test that was renamed or removed is missed', () => {
  const gone = [
    ['os/spared/asleep.test.ts', 'jobs of an open session are older in the morning'],
    ['os/spared/awake.test.ts', 'jobs of an open session'],
  ] as const;
  expect(missing({ 'a wall clock decided': gone })).toHaveLength(2);
});

test('each cause has a rule that can be broken, which stands once in its file', () => {
  expect(Object.keys(breaks)).toEqual(Object.keys(causes));
  const times = Object.entries(breaks).map(([cause, [file, rule]]) => {
    const found = readFileSync(join(project, file), 'utf8').split(rule).length - 1;
    return [cause, found];
  });
  expect(times).toEqual(Object.keys(breaks).map((cause) => [cause, 1]));
});
