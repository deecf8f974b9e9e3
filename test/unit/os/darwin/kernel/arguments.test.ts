import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentAreaBytes, processArgumentsIn } from '../../../../../main/os/darwin/kernel/arguments.ts';
import { markerNames } from '../../../../../main/os/processes/environ.ts';
import { argumentArea } from '../../../../darwin/argument-area.ts';

const names = markerNames(['A', 'K', 'CURFEW_KEEP']);

/** Returns an area of these parts: texts as they are, numbers as that many NULs. */
const area = (argc: number, ...parts: readonly (string | number)[]): Buffer => {
  const count = Buffer.alloc(4);
  count.writeInt32LE(argc, 0);
  return Buffer.concat([
    count,
    ...parts.map((part) => (typeof part === 'number' ? Buffer.alloc(part) : Buffer.from(part, 'utf8'))),
  ]);
};
const kernel = 'pfz=0x7\0stack_guard=0x1\0ptr_munge=0x2\0';

test('a shown environment', () => {
  const bytes = area(2, '/bin/sleep', 6, 'sleep', 1, '60', 1, 'A=1', 4, kernel);
  expect(processArgumentsIn(bytes, names)).toEqual({
    argv: ['sleep', '60'],
    environment: { A: '1' },
    gap: null,
    argumentBytes: 9,
  });
});

test('a hidden environment', () => {
  const bytes = area(2, '/bin/sleep', 6, 'sleep', 1, '60', 1);
  expect(processArgumentsIn(bytes, names)).toMatchObject({ argv: ['sleep', '60'], environment: null, gap: 'hidden' });
});

test('an empty environment (env -i) is known to be empty', () => {
  const bytes = area(2, '/bin/sleep', 6, 'sleep', 1, '6', 1, kernel);
  expect(processArgumentsIn(bytes, names)).toMatchObject({ argv: ['sleep', '6'], environment: {}, gap: null });
});

test('a title shorter than the arguments', () => {
  const bytes = area(3, '/usr/bin/node', 3, 'next', 10, 'K=1', 7, kernel);
  expect(processArgumentsIn(bytes, names)).toMatchObject({ argv: ['next'], environment: { K: '1' }, gap: null });
  expect(processArgumentsIn(bytes, names, 14)).toMatchObject({ argv: ['next'], environment: { K: '1' }, gap: null });
});

test('a title as long as the arguments: the first variable, maybe a secret, is no argument', () => {
  const bytes = area(2, '/usr/bin/node', 3, 'next-serv', 1, 'K=1', 3, kernel);
  expect(processArgumentsIn(bytes, names, 10)).toMatchObject({
    argv: ['next-serv'],
    environment: { K: '1' },
    gap: null,
  });
  // Without what was seen first nothing tells where the arguments end.
  expect(processArgumentsIn(bytes, names)).toMatchObject({ argv: ['next-serv'], environment: null, gap: 'rewritten' });
});

test('an empty argv[0]: one variable is let through, and the rest is unknown', () => {
  const bytes = area(2, '/bin/sleep', 7, '60', 1, 'K=1', 1);
  expect(processArgumentsIn(bytes, names)).toMatchObject({ argv: ['', '60'], environment: null, gap: 'hidden' });
});

test('CURFEW_KEEP=1 counts wherever it stands, because it only spares', () => {
  const hidden = area(2, '/bin/sleep', 7, '60', 1, 'CURFEW_KEEP=1', 1);
  expect(processArgumentsIn(hidden, names)?.environment).toEqual({ CURFEW_KEEP: '1' });
  const title = area(2, '/usr/bin/node', 3, 'next-serv', 1, 'CURFEW_KEEP=1', 1, kernel);
  expect(processArgumentsIn(title, names)?.environment).toEqual({ CURFEW_KEEP: '1' });
  const other = area(2, '/usr/bin/node', 3, 'next-serv', 1, 'CURFEW_KEEP=10', 1, kernel);
  expect(processArgumentsIn(other, names)?.environment).toBeNull();
});

test('an erased environment is unknown and not empty', () => {
  const bytes = area(1, '/bin/redis', 6, 'redis: *:6379', 1, 120, kernel);
  expect(processArgumentsIn(bytes, names)).toMatchObject({ environment: null, gap: 'rewritten' });
});

test('an area that fills its room was cut at its beginning', () => {
  const bytes = Buffer.alloc(argumentAreaBytes, 'x');
  bytes.writeInt32LE(1, 0);
  expect(processArgumentsIn(bytes, names)).toBeNull();
});

const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => !text.includes('\0') && text.isWellFormed());
const plain = word.filter((text) => !text.includes('='));
const variables = fc.array(
  fc.tuple(fc.constantFrom('A', 'K', 'SECRET', 'PATH'), word).map(([name, value]) => `${name}=${value}`),
  { maxLength: 6 },
);
const started = fc.record({
  path: fc
    .array(fc.constantFrom('usr', 'bin', 'node', 'x'), { minLength: 1, maxLength: 6 })
    .map((p) => `/${p.join('/')}`),
  argv: fc.array(plain, { minLength: 1, maxLength: 5 }),
  env: variables,
});

/** The first entry of each name that is on the list, as getenv gives it. */
const listed = (env: readonly string[]): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const entry of env) {
    const [name = '', ...rest] = entry.split('=');
    if (['A', 'K'].includes(name)) found[name] ??= rest.join('=');
  }
  return found;
};

test('what the kernel writes comes back', () => {
  fc.assert(
    fc.property(started, fc.boolean(), (program, hides) => {
      const found = processArgumentsIn(argumentArea(program, hides), names);
      expect(found?.argv).toEqual(program.argv);
      expect(found?.environment).toEqual(hides ? null : listed(program.env));
    }),
  );
});

test('whatever title a program writes, no variable becomes an argument', () => {
  fc.assert(
    fc.property(started, fc.string({ maxLength: 60 }), (program, text) => {
      const title = text.replaceAll('\0', '');
      const env = [...program.env, 'SECRET=hunter2'];
      const bytes = argumentArea({ ...program, env }, false, title);
      const room = program.argv.reduce((sum, one) => sum + Buffer.byteLength(one) + 1, 0);
      for (const first of [null, room]) {
        const found = processArgumentsIn(bytes, names, first);
        expect(found?.argv.join('\n') ?? '').not.toContain('hunter2');
        expect(found?.gap === null ? found.environment : listed(env)).toEqual(listed(env));
      }
    }),
  );
});

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.nat({ max: 30 }),
      fc.option(fc.nat({ max: 400 })),
      (tail, argc, first) => {
        const bytes = area(argc, Buffer.from(tail).toString('latin1'));
        const found = processArgumentsIn(bytes, names, first);
        expect(found === null || found.argv.length <= Math.max(1, argc)).toBe(true);
      },
    ),
  );
});
