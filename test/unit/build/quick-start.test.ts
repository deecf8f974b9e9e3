import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { quickBuiltins } from '../../../build/bundler/quick-start.ts';

/** Returns what the bundler makes of a chunk. */
const bundled = (code: string): string => {
  const { renderChunk } = quickBuiltins(['cli']);
  if (typeof renderChunk !== 'object') throw new Error('the plugin renders no chunks');
  const handler = renderChunk.handler as (code: string) => { readonly code: string } | null;
  return handler(code)?.code ?? code;
};

/**
 * Runs a chunk's text, which ends in an expression, and returns which of Node's modules it loaded.
 */
const run = (code: string): { readonly value: unknown; readonly asked: readonly string[] } => {
  const lines = bundled(code).split('\n');
  const body = [...lines.slice(0, -1), `return ${lines.at(-1)}`].join('\n');
  const asking = vi.spyOn(process, 'getBuiltinModule');
  try {
    // oxlint-disable-next-line typescript/no-implied-eval
    const value = (new Function(body) as () => unknown)();
    return { value, asked: asking.mock.calls.map(([id]) => id) };
  } finally {
    asking.mockRestore();
  }
};

test('a rarely used module is loaded when one of its functions is called', () => {
  const text = `import { createHash as hash } from 'node:crypto';\nimport { join } from 'node:path';\n`;
  expect(run(`${text}join('a', 'b')`)).toEqual({ value: join('a', 'b'), asked: ['node:path'] });
  expect(run(`${text}hash('sha256').update('').digest('hex').slice(0, 8)`)).toEqual({
    value: 'e3b0c442',
    asked: ['node:path', 'node:crypto'],
  });
});

test('a module of which only functions can be deferred is not imported whole', () => {
  expect(() => bundled(`import * as crypto from 'node:crypto';\ncrypto`)).toThrow('import these by name');
});
