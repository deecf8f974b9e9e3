import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
