import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn, project } from './planted.ts';

const starts = /(?<![\w.#])(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\(/gu;
const imported = /from 'node:child_process'/u;

/** The text of a call from its opening parenthesis to the closing one. */
const callAt = (text: string, from: number): string => {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
};

const window = /\.\.\.(?:\([^)]*)?(?:noWindow|ownWindow)\b/u;
const environment = /\benv: (?:passedOn\(|\{ (?:\.\.\.environment|\[keepName\]))|\.\.\.options\b/u;

/** The lines on which a child is started without a word: about its window, or its environment. */
const unsaid = (text: string, word = window): readonly number[] =>
  imported.test(text)
    ? [...text.matchAll(starts)].flatMap(({ 0: name, index }) =>
        word.test(callAt(text, index + name.length - 1)) ? [] : [text.slice(0, index).split('\n').length],
      )
    : [];

/** What stands in the text of a plugin that is written for another program. */
const excused = new Set(['main/agents/opencode/agent.ts']);

test('every child of Curfew says whether it shows windows, and in one way', () => {
  const files = filesIn(project, '{app,main}/**/*.ts').filter((file) => !excused.has(file));
  const texts = files.map((file) => ({ file, text: readFileSync(join(project, file), 'utf8') }));
  expect(texts.filter(({ text }) => imported.test(text)).length).toBeGreaterThan(8);
  expect(texts.flatMap(({ file, text }) => unsaid(text).map((line) => `${file}:${line}`))).toEqual([]);
  expect(texts.filter(({ text }) => text.includes('windowsHide')).map(({ file }) => file)).toEqual([
    'main/os/programs/child-window.ts',
  ]);
});

/** The command of `curfew run` gets what its user has, and so does the supervisor that runs it. */
const getWhole = new Set(['main/os/programs/command-launcher.ts', 'main/os/programs/detached.ts']);

test('no child of Curfew’s own gets the whole environment', () => {
  const files = filesIn(project, '{app,main}/**/*.ts').filter((file) => !excused.has(file) && !getWhole.has(file));
  const texts = files.map((file) => ({ file, text: readFileSync(join(project, file), 'utf8') }));
  expect(texts.flatMap(({ file, text }) => unsaid(text, environment).map((line) => `${file}:${line}`))).toEqual([]);
});

test('a child whose environment was forgotten is found', () => {
  const from = `import { spawn } from 'node:child_process';\n`;
  expect(unsaid(`${from}spawn(file, args(), { ...noWindow });`, environment)).toEqual([2]);
  expect(unsaid(`${from}spawn(file, args(), { env: { ...process.env }, ...noWindow });`, environment)).toEqual([2]);
  expect(unsaid(`${from}spawn(file, args(), { env: { ...environment }, ...noWindow });`, environment)).toEqual([]);
});

test('a child whose window was forgotten is found', () => {
  const from = `import { spawn } from 'node:child_process';\n`;
  expect(unsaid(`${from}spawn(file, args(), { stdio: 'ignore' });`)).toEqual([2]);
  expect(unsaid(`${from}spawn(file, args(), { stdio: 'ignore', ...noWindow });\n\nspawn(other);`)).toEqual([4]);
  expect(unsaid('this.#spawn(file);')).toEqual([]);
});
