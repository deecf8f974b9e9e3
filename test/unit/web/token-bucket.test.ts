import { expect, test } from 'vitest';
import { TokenBucket } from '../../../main/web/token-bucket.ts';

const taken = (bucket: TokenBucket, nowMs: number, tries: number): number =>
  Array.from({ length: tries }, () => bucket.take(nowMs)).filter(Boolean).length;

test('a burst at once, and a rate per second', () => {
  const bucket = new TokenBucket(5, 2, 0);
  expect(taken(bucket, 0, 10)).toBe(5);
  expect(taken(bucket, 1000, 10)).toBe(2);
  expect(taken(bucket, 60_000, 10)).toBe(5);
});

test('a clock set back neither grants nor locks', () => {
  const bucket = new TokenBucket(2, 1, 100_000);
  expect(taken(bucket, 100_000, 5)).toBe(2);
  expect(taken(bucket, 0, 5)).toBe(0);
  expect(taken(bucket, 1000, 5)).toBe(1);
});
