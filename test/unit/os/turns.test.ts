import { expect, test } from 'vitest';
import { Turns } from '../../../main/os/programs/turns.ts';

test('never more go on than may, each has its turn in its order, and one that fails gives its place on', async () => {
  const turns = new Turns(3);
  let going = 0;
  let most = 0;
  const began: number[] = [];
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, at) =>
      turns.run(async () => {
        began.push(at);
        going += 1;
        most = Math.max(most, going);
        await new Promise((resolve) => setImmediate(resolve));
        going -= 1;
        if (at % 4 === 0) throw new Error('failed');
        return at;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(began).toEqual(Array.from({ length: 20 }, (_, at) => at));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(5);
});
