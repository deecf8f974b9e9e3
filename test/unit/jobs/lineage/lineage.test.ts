import { describe, expect, test } from 'vitest';
import { lineageOf } from '../../../../app/jobs/lineage/lineage.ts';
import { asPid, type Pid } from '../../../../app/process/identity.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { processTree } from '../../../../app/process/tree.ts';
import { rowOf } from '../../judge/job-builder.ts';

const viewOf = (parents: readonly (readonly [pid: number, ppid: number])[], program?: number) => {
  const rows = parents.map(([pid, ppid]) => rowOf(pid, ['x'], { ppid: asPid(ppid) }));
  const tree = processTree(new Map(rows.map((row) => [row.pid, row])));
  const walked: Pid[] = [];
  const view = {
    tree: { ...tree, ancestors: (pid: Pid) => (walked.push(pid), tree.ancestors(pid)) },
    profileOf: (row: ProcessRow) => ({
      row,
      program: null,
      isUserProgram: row.pid === program,
      claims: [],
      rule: null,
    }),
  };
  const above = (pid: number) => {
    const row = rows.find((one) => one.pid === pid);
    if (row === undefined) throw new Error(`no row ${pid}`);
    const { chain, end } = lineageOf(view, row);
    return { chain: chain.map((one) => Number(one.pid)), end: end === null ? null : Number(end.row.pid) };
  };
  return { walked, above };
};

describe('the way upward from a process', () => {
  test('is gone once for all children of a parent', () => {
    const { walked, above } = viewOf(
      [
        [5, 1],
        [6, 5],
        [7, 6],
        [8, 6],
        [9, 6],
      ],
      5,
    );
    for (const pid of [7, 8, 9]) expect(above(pid)).toEqual({ chain: [6], end: 5 });
    expect(walked).toHaveLength(1);
  });

  test('is that of each alone where the table goes round in a circle', () => {
    const circle = [
      [5, 6],
      [6, 5],
      [7, 6],
    ] as const;
    const { above } = viewOf(circle);
    expect([7, 5, 6].map((pid) => above(pid).chain)).toEqual([[6, 5], [6], [5]]);
    const ended = viewOf(circle, 5);
    expect([7, 5, 6].map((pid) => ended.above(pid).end)).toEqual([5, null, 5]);
  });
});
