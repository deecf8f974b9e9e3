import { expect, test } from 'vitest';
import { maxOutputBytes, type OutputEnd, outputEndIn, outputPartOf } from '../../../main/remote/answers/output.ts';

const end = (bytes: string, before = 0): OutputEnd => ({ fileBytes: before + bytes.length, bytes });

test('what a machine sends of an output is bounded, and nothing is believed that has not its form', () => {
  const sent = (records: readonly string[]) => outputEndIn(new Map([['output', records]]));
  expect(sent(['7', 'one\ntwo'])).toEqual({ fileBytes: 7, bytes: 'one\ntwo' });
  expect(sent(['90000', 'x'.repeat(90_000)])?.bytes).toHaveLength(maxOutputBytes);
  expect([[], ['7'], ['-1', 'x'], ['', 'x'], ['1e9', 'x']].map(sent)).toEqual([null, null, null, null, null]);
});

test('a window gets whole lines without secrets, then what the file is now, and nothing while nothing was added', () => {
  const first = outputPartOf(end('one\nTOKEN=abcdef123456\ntw'), null, null);
  expect(first).toMatchObject({ restarted: false, fromByte: 0, nextByte: 23, fileBytes: 25 });
  expect(first.text).toMatch(/^one\nTOKEN=(?!abcdef).*\n$/u);
  expect(outputPartOf(end('one\ntw'), 4, null)).toMatchObject({ text: '', nextByte: 4, restarted: false });
  expect(outputPartOf(end('one\ntw'), 4, 6)).toMatchObject({ text: 'one\ntw', nextByte: 6, restarted: true });
  expect(outputPartOf(end('one\ntwo'), 7, 7)).toMatchObject({ text: '', nextByte: 7, restarted: false });
  expect(outputPartOf(end('anew\n'), 7, 7)).toMatchObject({ text: 'anew\n', nextByte: 5, restarted: true });
});

test('a tail begins with a line, and letters are whole', () => {
  const bytes = Buffer.from('f line\né\n', 'utf8').toString('latin1');
  expect(outputPartOf(end(bytes, 100_000), null, null)).toMatchObject({
    text: 'é\n',
    fromByte: 100_007,
    nextByte: 100_010,
  });
  expect(outputPartOf(end('half a line without an end', 100_000), null, null).text).toBe('');
});
