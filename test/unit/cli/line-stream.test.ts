import { inEnglish } from '../../../app/text/say.ts';
import { expect, test } from 'vitest';
import { LineStream } from '../../../main/cli/commands/watch/watch-events.ts';

const stream = (): { lines: LineStream; text: () => string; warned: string[] } => {
  const written: string[] = [];
  const warned: string[] = [];
  const lines = new LineStream({
    write: async (text) => void written.push(text),
    warn: (said) => void warned.push(inEnglish(said)),
  });
  return { lines, text: () => written.join(''), warned };
};

/** Parts of which each takes longer than a slice. */
function* slow(...parts: readonly string[]): Generator<string, void, undefined> {
  for (const part of parts) {
    const beganMs = performance.now();
    while (performance.now() - beganMs < 20);
    yield part;
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('a line that takes long lets others have a turn, and the lines after it wait for it', async () => {
  const { lines, text } = stream();
  lines.write(slow('a', 'b', 'c'));
  lines.write(['d']);
  expect(text()).toBe('a');
  while (!text().endsWith('d\n')) await turn();
  expect(text()).toBe('abc\nd\n');
});

test('what waits at the end is written whole and in order', () => {
  const { lines, text } = stream();
  lines.write(slow('a', 'b'));
  lines.write(['c']);
  lines.flush();
  expect(text()).toBe('ab\nc\n');
});

test('a line that can not be worked out is told of, and the next one is written', () => {
  const { lines, text, warned } = stream();
  lines.write(
    (function* () {
      yield 'a';
      throw new Error('no words');
    })(),
  );
  lines.write(['b']);
  expect(text()).toBe('a\nb\n');
  expect(warned).toEqual(['curfew: a line could not be completed: no words']);
});
