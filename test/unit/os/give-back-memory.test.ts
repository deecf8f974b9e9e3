import { expect, test } from 'vitest';
import { giveBackMemory } from '../../../main/os/native/give-back-memory.ts';

test('the C library is asked for its freed memory on Linux alone', () => {
  expect(giveBackMemory() === null).toBe(process.platform !== 'linux');
});
