import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exchange, type Exchange } from '../../main/os/programs/exchange.ts';

const order = (script: string, more: { readonly timeoutMs?: number; readonly maxBytes?: number } = {}) => ({
  command: ['sh', '-c', script] as const,
  input: Buffer.from('asked'),
  environment: { PATH: '/usr/bin:/bin' },
  timeoutMs: more.timeoutMs ?? 60_000,
  maxBytes: more.maxBytes ?? 10_000_000,
});

/** Keeps this process from reading for a while, again and again. */
const busily = async <Result>(work: Promise<Result>): Promise<Result> => {
  const timer = setInterval(() => {
    const until = performance.now() + 300;
    while (performance.now() < until);
  }, 1);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
};

test('the whole answer is read, however busy this process is when the program has ended', async () => {
  const { answer, end } = await busily(exchange(order('head -c 3000000 /dev/zero')));
  expect({ bytes: answer.length, end }).toEqual({ bytes: 3_000_000, end: { kind: 'exited', status: 0 } });
});

/** An exchange whose last words come while this process is busy; null where they were no longer waited for by then. */
const busyForLastWords = async (folder: string): Promise<Exchange | null> => {
  const [pid, go, written] = ['pid', 'go', 'written'].map((name) => join(folder, name)) as [string, string, string];
  const later = `until [ -e ${go} ]; do sleep 0.01; done; echo why >&2; : > ${written}`;
  let isOver = false;
  const answer = exchange(order(`(${later}) </dev/null >/dev/null & echo $$ > ${pid}; exit 7`));
  void answer.then(() => (isOver = true));
  while (!existsSync(pid) || existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}`)) await pause(1);
  // Its end is told; and what is due comes right after this, before anything is read.
  await pause(50);
  await new Promise(setImmediate);
  writeFileSync(go, '');
  // Nothing else happens here until they were said, and the wait for them is over.
  const endMs = performance.now() + 400;
  const wasOver = isOver;
  while (!existsSync(written) || performance.now() < endMs);
  const exchanged = await answer;
  return wasOver ? null : exchanged;
};

test('last words that come while this process gets no turn are read', async () => {
  let exchanged: Exchange | null = null;
  while (exchanged === null) {
    const folder = mkdtempSync(join(tmpdir(), 'curfew-exchange-'));
    exchanged = await busyForLastWords(folder);
    rmSync(folder, { recursive: true });
  }
  expect(exchanged).toMatchObject({ said: 'why\n', end: { kind: 'exited', status: 7 } });
});

test('what was asked is handed over, and what was said comes beside the answer', async () => {
  const { answer, said, end } = await exchange(order('cat; echo why >&2; exit 7'));
  expect({ answer: answer.toString(), said, end }).toEqual({
    answer: 'asked',
    said: 'why\n',
    end: { kind: 'exited', status: 7 },
  });
});

test('something that stays behind with standard error open is not waited for', async () => {
  const { answer, end } = await exchange(order('sleep 3333 >/dev/null </dev/null & echo done'));
  expect({ answer: answer.toString(), end }).toEqual({ answer: 'done\n', end: { kind: 'exited', status: 0 } });
});

test('T23: who says too much, takes too long, or holds on to the answer is ended', async () => {
  const much = await exchange(order('exec head -c 90000000 /dev/zero', { maxBytes: 1_000 }));
  expect({ bytes: much.answer.length, end: much.end }).toEqual({ bytes: 1_000, end: { kind: 'too-much' } });
  const long = await exchange(order('exec sleep 3333', { timeoutMs: 100 }));
  expect(long.end).toEqual({ kind: 'too-long' });
  // Long enough for a shell on any machine to say its word.
  const held = await exchange(order('sleep 3333 </dev/null & echo done', { timeoutMs: 6_000 }));
  expect(held.answer.toString()).toBe('done\n');
});

test('a program that is not there', async () => {
  const { end } = await exchange({ ...order(''), command: ['/no/such/program'] });
  expect(end).toEqual({ kind: 'not-started' });
});
