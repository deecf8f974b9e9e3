import { expect, test } from 'vitest';
import { playProgram } from './play.ts';

// The workflow runs the same ones on a real Windows.
test.each(['servers', 'storms', 'runs'])('%s: all is as expected', (name) => {
  const { status, said } = playProgram(name);
  expect(said).not.toContain('WRONG');
  expect({ status, said }).toMatchObject({ status: 0, said: expect.stringContaining(' right, 0 wrong') as unknown });
});
