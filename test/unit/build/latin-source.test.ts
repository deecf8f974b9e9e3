import { expect, test } from 'vitest';
import { latinSource } from '../../../build/bundler/latin-source.ts';

/** Returns what the bundler makes of a chunk. */
const bundled = (code: string): string => {
  const { generateBundle } = latinSource(['cli']);
  if (typeof generateBundle !== 'object') throw new Error('the plugin changes no bundle');
  const file = { type: 'chunk', code };
  (generateBundle.handler as unknown as (options: unknown, bundle: unknown) => void)({}, { file });
  return file.code;
};

test('characters beyond Latin-1 are escaped, beside a raw template that names such a character too', () => {
  const raw = String.raw`String.raw` + '`\\u{600}`';
  expect(bundled(`export const dots = '\u2026', marks = ${raw};`)).toBe(
    `export const dots = '\\u2026', marks = ${raw};`,
  );
});

test('a chunk stays as it is where a raw template is written with one: an escape has another meaning there', () => {
  const code = "export const dots = '\u2026', raw = String.raw`\u2026`;";
  expect(bundled(code)).toBe(code);
});
