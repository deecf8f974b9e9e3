import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, project } from './planted.ts';

/** Files of the source whose text, without comments, has this in it. */
const filesWith = (pattern: RegExp, among = '{app,main,renderer}/**/*.{ts,tsx}'): readonly string[] =>
  filesIn(project, among).filter((file) =>
    pattern.test(readFileSync(join(project, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu, '')),
  );

describe('what ends something goes through one place', () => {
  test('reapings are started from one file', () => {
    expect(filesWith(/\breaper(?:\(\w*\))?\.start\(/u)).toEqual(['main/ending/end.ts']);
  });

  test('a reaping can only be made where the notice was given', () => {
    expect(filesWith(/\bisToldFirst\(/u)).toEqual(['main/reaping/reaping.ts']);
    expect(filesWith(/\bnew Reaping\(/u)).toEqual(['main/reaping/reaping.ts']);
  });

  test('what two looks confirm is asked by one function', () => {
    expect(filesWith(/\bconst confirmTwice\b/u)).toEqual(['main/ending/two-looks.ts']);
    // By themselves looks follow each other; since when a job is due is remembered there.
    expect(filesWith(/\bconfirmTwice\(/u)).toEqual([
      'main/ending/end.ts',
      'main/ending/two-looks.ts',
      'main/supervisor/watch.ts',
    ]);
  });

  test('each place that ends by rule is bounded', () => {
    const byRule = filesWith(/\.confirm\(look, settings|\bseeAllTwice\($/mu, 'main/**/*.ts');
    expect(byRule).toEqual([
      'main/cli/commands/hook/hook-pass.ts',
      'main/cli/commands/reap/reap-selection.ts',
      'main/supervisor/watch.ts',
    ]);
    expect(filesWith(/\bendsOfOneLook\(/u)).toEqual(byRule);
  });

  test('one sentence says that something has changed', () => {
    expect(filesWith(/ a moment ago/u)).toEqual(['app/text/catalogue/answers.ts', 'app/text/refusals.ts']);
  });
});

test('files that others can write are read up to a limit, by the one helper', () => {
  // Of the kernel, and of Curfew's own package.
  const always = /^(?:['`]\/(?:proc|etc)\/|new URL\()/u;
  const kernelOrPackage =
    /^main\/(?:os\/(?:linux|containment)\/|shell\/security\/served-files|web\/page-files|cli\/common\/kept-code)/u;
  const reading = filesIn(project, 'main/**/*.ts').flatMap((file) => {
    const text = readFileSync(join(project, file), 'utf8');
    return [...text.matchAll(/\b(?:readFileSync|readFile|createReadStream)\((.*)/gu)].flatMap(([, rest = '']) =>
      always.test(rest) ? [] : [file],
    );
  });
  expect([...new Set(reading)].filter((file) => !kernelOrPackage.test(file))).toEqual([]);
  expect(reading).not.toEqual([]);
});
