import { describe, expect, test } from 'vitest';
import { takenAlongIn, TakenAlongReader, type Company } from '../../../../main/os/linux/probe/taken-along.ts';

const company = (pid: number, ppid: number, more: Partial<Company> = {}): Company => ({
  pid,
  ppid,
  inner: [],
  tracers: [],
  namespace: null,
  ...more,
});

const insideOf = (all: readonly Company[], first: number): readonly number[] | undefined =>
  takenAlongIn(all).inside.get(first);

describe('what the first process of a pid namespace takes along', () => {
  const first = company(10, 1, { inner: [1], namespace: 'pid:[7]' });

  test('is what is in it, wherever its parent is, and nothing of another', () => {
    const entered = company(20, 5, { inner: [9], namespace: 'pid:[7]' });
    const other = company(30, 1, { inner: [1], namespace: 'pid:[8]' });
    const outside = company(40, 10);
    expect(insideOf([first, entered, other, outside], 10)).toEqual([20]);
    expect(insideOf([first, entered, other, outside], 30)).toEqual([]);
  });

  test('is what is further inside', () => {
    const below = company(20, 10, { inner: [9, 1], namespace: 'pid:[9]' });
    expect(insideOf([first, below], 10)).toEqual([20]);
  });

  test('may be what can’t be looked into, unless another first process is above it, or beside it', () => {
    const unread = company(20, 5, { inner: [9] });
    expect(insideOf([first, company(5, 1), unread], 10)).toEqual([20]);
    // A container of root's: its first process, a child of that, and what its engine began in it.
    const engine = company(3, 1);
    const container = [company(30, 3, { inner: [1] }), company(31, 30, { inner: [2] }), company(32, 3, { inner: [8] })];
    expect(insideOf([first, engine, ...container], 10)).toEqual([]);
    expect(insideOf([first, engine, ...container], 30)).toEqual([31, 32]);
  });
});

test('a tracer may take along what it holds', () => {
  const { traced } = takenAlongIn([company(5, 1), company(6, 1, { tracers: [5] }), company(7, 1, { tracers: [5] })]);
  expect([...traced]).toEqual([[5, [6, 7]]]);
});

/** One process, each of whose texts is counted. */
const countingReader = () => {
  const status = `Name:\tnode\nState:\tS (sleeping)\nTgid:\t${process.pid}\nPPid:\t1\nTracerPid:\t0\nThreads:\t1\n`;
  const asked: string[] = [];
  const readText = (path: string): string | null => {
    asked.push(path);
    return path === `/proc/${process.pid}/status` ? status : null;
  };
  return { asked, readText };
};

describe.runIf(process.platform === 'linux')('the reading of all processes for what they take along', () => {
  test('is done once for what is only shown, and again for a process that it has not', () => {
    const reader = countingReader();
    let nowMs = 0;
    const along = new TakenAlongReader(reader, () => nowMs);
    along.read({ shown: process.pid });
    const once = reader.asked.length;
    expect(once).toBeGreaterThan(0);
    nowMs = 89_000;
    along.read({ shown: process.pid });
    expect(reader.asked.length).toBe(once);
    along.read({ shown: 0 });
    expect(reader.asked.length).toBeGreaterThan(once);
    nowMs += 90_000;
    const twice = reader.asked.length;
    along.read({ shown: process.pid });
    expect(reader.asked.length).toBeGreaterThan(twice);
  });

  test('is done again for what is about to be ended, a second later', () => {
    const reader = countingReader();
    let nowMs = 0;
    const along = new TakenAlongReader(reader, () => nowMs);
    along.read({ shown: process.pid });
    const once = reader.asked.length;
    nowMs = 1_000;
    along.read();
    expect(reader.asked.length).toBeGreaterThan(once);
  });
});
