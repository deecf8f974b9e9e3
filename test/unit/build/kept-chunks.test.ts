import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { halvesOf } from '../../../build/bundler/kept-chunks.ts';

const chunk = [
  `import{a as one}from"./first.js";var count=2;var sum=()=>one+count;`,
  `var place=()=>import.meta.dirname;var later=name=>import(name);export{sum as s,sum as t,place,later};`,
].join('\n');

test('a chunk becomes a module that exports what the text gives, and a text that needs no import', async () => {
  const halves = halvesOf(chunk, '../kept-code.js', 'chunk.text.js');
  expect(halves?.module.split('\n')).toEqual([
    'import*as from0 from"./first.js";',
    'import{keptCode}from"../kept-code.js";',
    'const{sum:of0,place:of1,later:of2}=keptCode(import.meta.dirname+"/chunk.text.js")(import.meta,name=>import(name),from0);',
    'export{of0 as s,of0 as t,of1 as place,of2 as later};',
  ]);
  const run = runInThisContext(halves?.text ?? '') as (...given: readonly unknown[]) => {
    readonly sum: () => number;
    readonly place: () => string;
    readonly later: (name: string) => Promise<string>;
  };
  const { sum, place, later } = run({ dirname: '/here' }, (name: string) => Promise.resolve(`${name}!`), { a: 40 });
  expect([sum(), place(), await later('./x.js')]).toEqual([42, '/here', './x.js!']);
});

test('the lines of a text are those of its chunk, one further down', () => {
  const lines = halvesOf(chunk, '../kept-code.js', 'chunk.text.js')?.text.split('\n') ?? [];
  expect(lines[1]).toBe('var count=2;var sum=()=>one+count;');
  expect(lines[2]).toContain('var place=');
});

test('a chunk that only passes on what others export stays as it is', () => {
  expect(halvesOf(`import{a as b}from"./first.js";export{b as c};`, '../kept-code.js', 'x.text.js')).toBeNull();
});

test.each([
  ['is set', 'var once=1;var set=()=>{once=2};export{once};'],
  ['is counted up', 'var once=1;var set=()=>once++;export{once};'],
])('an exported name that %s later is refused, since importers would keep its first value', (_, code) => {
  expect(() => halvesOf(code, '../kept-code.js', 'x.text.js')).toThrow('once is exported and changes');
});

test('a parameter or variable that has the name of an export may change', () => {
  const code = 'var once=()=>1;var set=(once)=>{once=2};var other=()=>{var once=1;return()=>once++};export{once};';
  expect(halvesOf(code, '../kept-code.js', 'x.text.js')).not.toBeNull();
});
