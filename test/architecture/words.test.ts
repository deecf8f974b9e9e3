import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, project } from './planted.ts';

/** Columns of a comment. Code lines are as the formatter leaves them, and it holds Markdown. */
const maxColumns = 100;

const comment = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|# )/u;
/** A link can't be wrapped, nor can an instruction to a tool. */
const cannotBeWrapped = /https?:\/\/\S{50}|(?:oxlint|eslint)-disable/u;

/** The lines of a source that are comments longer than they may be, by their numbers. */
const longComments = (text: string): readonly number[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      line.length > maxColumns && comment.test(line) && !cannotBeWrapped.test(line) ? [index + 1] : [],
    );

const sources = filesIn(project, '{app,main,renderer,test,build}/**/*.{ts,tsx,sh,pl}');

const linesOf = (find: (text: string) => readonly number[]): readonly string[] =>
  sources.flatMap((file) => find(readFileSync(join(project, file), 'utf8')).map((line) => `${file}:${line}`));

test(`a comment has at most ${maxColumns} columns`, () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(linesOf(longComments)).toEqual([]);
});

test('a comment that is too long is found, and a link in one is excused', () => {
  const words = 'word '.repeat(25);
  expect(longComments(`// ${words}\nconst a = '${words}';\n/** ${words} */`)).toEqual([1, 3]);
  expect(longComments(`// https://example.org/${'a'.repeat(100)}`)).toEqual([]);
});

/** Constants are called max… or min…: one word for a limit, so that it is found. */
const oddLimit = /\b(?:const|readonly) (?:most|least|longest)[A-Z]\w*/u;

const oddLimits = (text: string): readonly number[] =>
  text.split('\n').flatMap((line, index) => (oddLimit.test(line) ? [index + 1] : []));

test('a limit is called max or min', () => {
  expect(linesOf(oddLimits)).toEqual([]);
  expect(oddLimits(['export const ', 'mostFiles = 1;\nconst mostly = 2;'].join(''))).toEqual([1]);
});
