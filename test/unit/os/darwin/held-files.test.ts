import { expect, test } from 'vitest';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { HeldFiles } from '../../../../main/os/darwin/ps/held-files.ts';
import { machineOf } from '../../jobs/machine.ts';

/** lsof, which answers when a test says so. */
const played = () => {
  const asked: string[] = [];
  const answers: ((output: string | null) => void)[] = [];
  let nowMs = 0;
  const held = new HeldFiles(
    (args) => {
      asked.push(args.at(-1) ?? '');
      return new Promise((resolve) => answers.push(resolve));
    },
    () => nowMs,
  );
  return {
    held,
    asked,
    answer: async (output: string | null): Promise<void> => {
      answers.shift()?.(output);
      await Promise.resolve();
      await Promise.resolve();
    },
    pass: (seconds: number) => void (nowMs += seconds * 1000),
  };
};

const table = (...pids: readonly number[]): ReadonlyMap<ProcessRow['pid'], ProcessRow> =>
  machineOf(pids.map((pid) => ({ pid, argv: 'x' }))).table().rows;
const rowOf = (rows: ReadonlyMap<ProcessRow['pid'], ProcessRow>, pid: number): ProcessRow => {
  const row = rows.get(asPid(pid));
  if (row === undefined) throw new Error(`there is no process ${pid}`);
  return row;
};
const folder = (pid: number, path: string): string => `p${pid}\0\nfcwd\0n${path}\0\n`;

test('nothing is known before lsof has answered, and no look waits for it', async () => {
  const { held, asked, answer } = played();
  const rows = table(70, 71);
  expect(held.of(rowOf(rows, 70))).toBeNull();
  expect(asked).toEqual([]);
  held.begin(rows);
  expect(asked).toEqual(['70']);
  expect(held.of(rowOf(rows, 70))).toBeNull();
  await answer(folder(70, '/work'));
  expect(held.of(rowOf(rows, 70))?.cwd).toBe('/work');
  expect(held.of({ ...rowOf(rows, 70), startTicks: 1 })).toBeNull();
});

test('one call at a time, at most one a minute, whatever is asked', async () => {
  const { held, asked, answer, pass } = played();
  const rows = table(70, 71);
  const look = (): void => {
    held.begin(rows);
    for (const row of rows.values()) held.of(row);
    pass(5);
  };
  for (let count = 0; count < 12; count += 1) look();
  expect(asked).toHaveLength(1);
  for (let count = 0; count < 24; count += 1) look();
  expect(asked).toHaveLength(1);
  await answer(null);
  look();
  expect(asked).toHaveLength(2);
});

test('what has ended is not asked about, and without a question nothing is', () => {
  const { held, asked } = played();
  held.begin(table(70));
  held.of(rowOf(table(70), 70));
  held.begin(table(71));
  expect(asked).toEqual([]);
});
