import { expect, test } from 'vitest';
import { once } from '../../../app/format/once.ts';

test('a value is made at the first call and is the same ever after', () => {
  let made = 0;
  const value = once(() => ({ number: (made += 1) }));
  expect(made).toBe(0);
  expect(value()).toBe(value());
  expect(made).toBe(1);
});

test('a value that is undefined is made once too', () => {
  let made = 0;
  const value = once(() => {
    made += 1;
  });
  value();
  value();
  expect(made).toBe(1);
});

test('what could not be made is tried again at the next call', () => {
  let fails = true;
  const value = once(() => {
    if (fails) throw new Error('not yet');
    return 1;
  });
  expect(value).toThrow('not yet');
  fails = false;
  expect(value()).toBe(1);
});
