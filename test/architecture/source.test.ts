import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { project } from './planted.ts';

const files = ['main/os/processes/source.ts', 'main/os/processes/probing.ts'];

/** The members of each interface of a source that may be left out, by its name. */
const optionalIn = (text: string): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true).forEachChild((node) => {
    if (!ts.isInterfaceDeclaration(node)) return;
    const members = node.members.filter((one) => ts.isPropertySignature(one) || ts.isMethodSignature(one));
    const optional = members.filter(({ questionToken }) => questionToken !== undefined);
    found.set(
      node.name.text,
      optional.map((one) => `${one.name.getText()}${ts.isMethodSignature(one) ? '()' : ''}`),
    );
  });
  return found;
};

test('what a system can lack of a process source is a whole group', () => {
  const found = new Map(files.flatMap((file) => [...optionalIn(readFileSync(join(project, file), 'utf8'))]));
  const { ProcessSource: groups = [], ...others } = Object.fromEntries(found);
  expect(groups.length).toBeGreaterThan(5);
  expect(groups.filter((one) => one.endsWith('()'))).toEqual([]);
  expect(Object.entries(others).filter(([, members]) => members.length > 0)).toEqual([]);
});

test('a member that may be left out is found', () => {
  const text = 'interface A { b?: number; c(): void } interface D { e?(): void }';
  expect([...optionalIn(text)]).toEqual([
    ['A', ['b']],
    ['D', ['e()']],
  ]);
});
