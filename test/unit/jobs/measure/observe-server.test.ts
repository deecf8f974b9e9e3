import { describe, expect, test } from 'vitest';
import { inUse, observeServer } from '../../../../app/jobs/measure/observe-server.ts';
import type { ServerMemory } from '../../../../app/model/server-state.ts';
import type { IoCounts, MemberFacts } from '../../../../app/process/facts.ts';
import { asPid } from '../../../../app/process/identity.ts';
import type { ProcessTable } from '../../../../app/process/table.ts';
import { processTree } from '../../../../app/process/tree.ts';
import { factsOf, rowOf } from '../../judge/job-builder.ts';

const row = rowOf(40, ['npm', 'exec', 'server']);
const rows = new Map([[asPid(40), row]]);
const tree = processTree(rows);

/** What a look at one process gives, `seconds` after boot, where these figures were read of it. */
const look = (seconds: number, counts: IoCounts | null, before: ServerMemory | null) => {
  const table = { nowTicks: seconds * 100, ticksPerSecond: 100, rows } as unknown as ProcessTable;
  const ioBytes = counts === null ? seconds : counts.readBytes + counts.writtenBytes;
  const facts = new Map([[40, factsOf({ ioBytes, ...(counts === null ? {} : { ioCounts: counts }) })]]);
  const members = [{ row, by: ['env' as const] }];
  return observeServer({ standing: 'abandoned' }, { table, tree, members, facts, before, quietSeconds: 300 });
};

const first: IoCounts = { readBytes: 4_000_000, writtenBytes: 2735, reads: 4000, writes: 60 };
const after = (more: Partial<IoCounts>): IoCounts => ({
  readBytes: first.readBytes + (more.readBytes ?? 0),
  writtenBytes: first.writtenBytes + (more.writtenBytes ?? 0),
  reads: first.reads + (more.reads ?? 0),
  writes: first.writes + (more.writes ?? 0),
});
const second = (counts: IoCounts | null) => look(1005, counts, look(1000, first, null).memory).state;
const works = { standing: 'reported', why: ['works'] };

describe('an abandoned server', () => {
  test('that moves nothing stays one', () => {
    expect(second(first)).toEqual({ standing: 'abandoned' });
  });

  test('whose threads wake each other with 8 bytes a call stays one', () => {
    expect(second(after({ readBytes: 8, reads: 1, writtenBytes: 8, writes: 1 }))).toEqual({ standing: 'abandoned' });
    const busy = after({ readBytes: 8000, reads: 1000, writtenBytes: 8000, writes: 1000 });
    expect(second(busy)).toEqual({ standing: 'abandoned' });
  });

  test('that reads the end of its input for ever stays one', () => {
    expect(second(after({ reads: 1_000_000 }))).toEqual({ standing: 'abandoned' });
  });

  test.each([
    ['writes a line', { writtenBytes: 60, writes: 1 }],
    ['writes a line among reads of nothing', { writtenBytes: 60, writes: 1, reads: 1_000_000 }],
    ['writes 9 bytes', { writtenBytes: 9, writes: 1 }],
    ['reads 9 bytes', { readBytes: 9, reads: 1 }],
    ['writes a line among wakes', { writtenBytes: 8060, writes: 1001, readBytes: 8000, reads: 1000 }],
  ] as const)('that %s is at work', (_what, more) => {
    expect(second(after(more))).toEqual(works);
  });

  test('is at work where bytes move and no calls are told, now or before', () => {
    expect(second(null)).toEqual(works);
    const { state } = look(1005, after({ readBytes: 8, reads: 1 }), look(1000, null, null).memory);
    expect(state).toEqual(works);
  });

  test('counts as at work for the quiet time after its last work', () => {
    const worked = look(1005, after({ writtenBytes: 60, writes: 1 }), look(1000, first, null).memory);
    const later = (seconds: number) => look(seconds, after({ writtenBytes: 60, writes: 1 }), worked.memory).state;
    expect(later(1304)).toEqual(works);
    expect(later(1306)).toEqual({ standing: 'abandoned' });
  });
});

describe('a helper that detached itself', () => {
  const rowsOf = (seconds: number, before: ServerMemory | null, more: Partial<MemberFacts> = {}) =>
    observeServer(
      { standing: 'detached', why: ['own-session'], freeSeconds: 0 },
      {
        table: { nowTicks: seconds * 100, ticksPerSecond: 100, rows } as unknown as ProcessTable,
        tree,
        members: [{ row, by: ['env' as const] }],
        facts: new Map([[40, factsOf({ ioBytes: seconds, ports: [37_777], ...more })]]),
        before,
        quietSeconds: 300,
      },
    );
  /** What is remembered after looks at these seconds. */
  const seen = (looks: readonly number[]): ServerMemory | null =>
    looks.reduce<ServerMemory | null>((before, seconds) => rowsOf(seconds, before).memory, null);

  test('has no client for as long as looks follow each other that see none', () => {
    expect(rowsOf(1000, null).state).toMatchObject({ standing: 'detached', freeSeconds: 0 });
    expect(rowsOf(1060, seen([1000, 1030])).state).toMatchObject({ standing: 'detached', freeSeconds: 60 });
  });

  test('may have had one in a time in which none looked', () => {
    expect(rowsOf(1091, seen([1000, 1030])).state).toMatchObject({ standing: 'detached', freeSeconds: 0 });
    expect(rowsOf(500, seen([1000, 1030])).state).toMatchObject({ freeSeconds: 30 });
  });

  test('begins again after one was seen', () => {
    const used = inUse(rowsOf(1030, seen([1000])).memory);
    expect(rowsOf(1040, used).state).toMatchObject({ standing: 'detached', freeSeconds: 10 });
  });

  test('is left alone where a part of it can not be read, or it reads a named pipe', () => {
    expect(rowsOf(1000, null, { ioBytes: null }).state).toMatchObject({ why: ['own-session', 'ends-unknown'] });
    expect(rowsOf(1000, null, { readsPipe: true }).state).toMatchObject({ why: ['own-session', 'connected'] });
  });
});
