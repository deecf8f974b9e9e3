import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { addLines, linesOfScript, type Lines } from '../../../build/coverage/lines.ts';
import { Profiles } from '../../../build/coverage/profiles.ts';
import { coverageTable, linesNotRun } from '../../../build/coverage/table.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'curfew-coverage-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const source = `interface Asked { readonly much: boolean }
export const answer = ({ much }: Asked): number => {
  if (much) {
    return 42;
  }
  return 0;
};
`;
const begin = source.indexOf('({ much }');
const inner = source.indexOf('{\n    return');
const end = source.lastIndexOf(';');

/** V8's counts if `answer` was called `count` times, never with `much`. */
const called = (count: number) => [
  {
    functionName: 'answer',
    isBlockCoverage: true,
    ranges: [
      { startOffset: begin, endOffset: end, count },
      { startOffset: inner, endOffset: source.indexOf('\n  return 0'), count: 0 },
    ],
  },
];

test('a source that Node ran without its types is counted by its own lines', async () => {
  const file = join(folder, 'answer.ts');
  writeFileSync(file, source);
  const lines = await linesOfScript({ scriptId: '1', url: pathToFileURL(file).href, functions: called(3) });
  expect(Object.fromEntries(lines.get(file) ?? [])).toMatchObject({ 3: 3, 4: 0, 6: 3 });
});

test('a bundle without a map reports no source', async () => {
  const file = join(folder, 'bundle.js');
  writeFileSync(file, 'export const answer = () => 42;\n');
  expect(await linesOfScript({ scriptId: '1', url: pathToFileURL(file).href, functions: [] })).toEqual(new Map());
});

test('the counts of all processes are merged; a half-written file waits, and foreign scripts are left out', () => {
  const written = mkdtempSync(join(folder, 'written-'));
  const url = pathToFileURL(join(root, 'app/answer.ts')).href;
  const script = { scriptId: '1', url, functions: called(1) };
  const stranger = { ...script, url: 'file:///usr/lib/answer.ts' };
  writeFileSync(join(written, 'one.json'), JSON.stringify({ result: [script, stranger] }));
  writeFileSync(join(written, 'two.json'), JSON.stringify({ result: [script] }));
  writeFileSync(join(written, 'half.json'), '{ "result": [');
  const profiles = new Profiles(written);
  profiles.take();
  profiles.take();
  expect(profiles.processes).toBe(2);
  expect(profiles.scripts().map((one) => [one.url, one.functions[0]?.ranges[0]?.count])).toEqual([[url, 2]]);
});

describe('the table', () => {
  const lines = (counts: Readonly<Record<number, number>>): Map<number, number> =>
    new Map(Object.entries(counts).map(([line, count]) => [Number(line), count]));
  const known = (): Lines =>
    new Map([
      [join(root, 'app/judge/vetoes/agent.ts'), lines({ 1: 1, 2: 0 })],
      [join(root, 'app/judge/judge.ts'), lines({ 1: 1, 2: 0 })],
      [join(root, 'main/os/processes/signaller.ts'), lines({ 7: 0 })],
    ]);

  test('has a share for each folder and kind, and names the lines that nothing runs', () => {
    const all = known();
    const signaller = join(root, 'main/os/processes/signaller.ts');
    addLines(
      all,
      new Map([
        [signaller, lines({ 7: 2, 8: 1 })],
        [join(root, 'main/unknown.ts'), lines({ 1: 1 })],
      ]),
    );
    expect(
      coverageTable(
        root,
        new Map([
          ['pure', known()],
          ['all', all],
        ]),
      ).split('\n'),
    ).toEqual([
      '| folder | lines | pure | all |',
      '|---|---|---|---|',
      '| all of app | 4 | 50.0 % | 50.0 % |',
      '| all of main | 1 | 0.0 % | 100.0 % |',
      '| app/judge | 4 | 50.0 % | 50.0 % |',
      '| main/os | 1 | 0.0 % | 100.0 % |',
    ]);
    expect(linesNotRun(root, all)).toEqual(['app/judge/judge.ts: 2', 'app/judge/vetoes/agent.ts: 2']);
  });
});
