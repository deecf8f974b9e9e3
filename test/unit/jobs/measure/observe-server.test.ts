import { describe, expect, test } from 'vitest';
import { inUse, observeServer } from '../../../../app/jobs/measure/observe-server.ts';
import { freeHelperSeconds, type ServerMemory } from '../../../../app/model/server-state.ts';
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

const still: IoCounts = { readBytes: 0, writtenBytes: 0, reads: 0, writes: 0 };

describe('a helper that detached itself', () => {
  const rowsOf = (seconds: number, before: ServerMemory | null, more: Partial<MemberFacts> = {}) =>
    observeServer(
      { standing: 'detached', why: ['own-session'], freeSeconds: 0 },
      {
        table: { nowTicks: seconds * 100, ticksPerSecond: 100, rows } as unknown as ProcessTable,
        tree,
        members: [{ row, by: ['env' as const] }],
        facts: new Map([[40, factsOf({ ioBytes: 0, ioCounts: still, ports: [37_777], ...more })]]),
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

/** What a helper had done up to a moment. */
interface Done extends IoCounts {
  readonly cpuMs: number;
}

/** The most free seconds that looks found, one each `every` seconds for `hours`. */
const maxFreeSeconds = (done: (seconds: number) => Done, { every = 5, hours = 6, counted = true } = {}): number => {
  let before: ServerMemory | null = null;
  let longest = 0;
  for (let seconds = 1000; seconds <= 1000 + hours * 3600; seconds += every) {
    const { cpuMs, ...counts } = done(seconds - 1000);
    // The kernel tells processor time in ticks of 10 ms.
    const now = { ...row, cpuMs: Math.floor(cpuMs / 10) * 10 };
    const ioBytes = counts.readBytes + counts.writtenBytes;
    const { state, memory }: ReturnType<typeof observeServer> = observeServer(
      { standing: 'detached', why: ['own-session'], freeSeconds: 0 },
      {
        table: { nowTicks: seconds * 100, ticksPerSecond: 100, rows } as unknown as ProcessTable,
        tree,
        members: [{ row: now, by: ['env' as const] }],
        facts: new Map([[40, factsOf({ ioBytes, ...(counted ? { ioCounts: counts } : {}) })]]),
        before,
        quietSeconds: 300,
      },
    );
    before = memory;
    if (state.standing === 'detached') longest = Math.max(longest, state.freeSeconds);
  }
  return longest;
};

/** So many wakes a second, each by 8 bytes, and milliseconds of processor time. */
const waking =
  (perSecond: number, cpuMsPerSecond: number) =>
  (seconds: number): Done => {
    const wakes = Math.floor(seconds * perSecond + 0.3 * perSecond * Math.sin(seconds));
    return { readBytes: 10_700, reads: 24, writtenBytes: 8 * wakes, writes: wakes, cpuMs: cpuMsPerSecond * seconds };
  };

/** playwright-cli 0.1.22 (observed). */
const idle = waking(0.25, 0.4);

const lookAt = (seconds: number, before: ServerMemory | null) =>
  observeServer(
    { standing: 'detached', why: ['own-session'], freeSeconds: 0 },
    {
      table: { nowTicks: seconds * 100, ticksPerSecond: 100, rows } as unknown as ProcessTable,
      tree,
      members: [{ row, by: ['env' as const] }],
      facts: new Map([[40, factsOf({ ioBytes: 0, ioCounts: still })]]),
      before,
      quietSeconds: 300,
    },
  );
const rememberedAt = (seconds: number): ServerMemory => lookAt(seconds, null).memory;
const freeAt = (seconds: number, before: ServerMemory): number | null => {
  const { state } = lookAt(seconds, before);
  return state.standing === 'detached' ? state.freeSeconds : null;
};

const plus = (done: Done, times: number, one: Partial<Done>): Done => ({
  readBytes: done.readBytes + times * (one.readBytes ?? 0),
  reads: done.reads + times * (one.reads ?? 0),
  writtenBytes: done.writtenBytes + times * (one.writtenBytes ?? 0),
  writes: done.writes + times * (one.writes ?? 0),
  cpuMs: done.cpuMs + times * (one.cpuMs ?? 0),
});

/** Idle but for uses of which no look sees the client, one each `every` seconds. */
const usedEach =
  (every: number, one: Partial<Done>) =>
  (seconds: number): Done =>
    plus(idle(seconds), Math.floor((seconds + every / 2) / every), one);

describe('a detached helper of which looks see no client', () => {
  test.each([1, 5, 30, 60])('is free for as long as it only idles, at looks each %i s', (every) => {
    expect(maxFreeSeconds(idle, { every })).toBe(6 * 3600);
    expect(maxFreeSeconds(() => ({ ...still, cpuMs: 0 }), { every })).toBe(6 * 3600);
  });

  test('begins again at each work: 40 kB in and out each 5 min', () => {
    const one = { readBytes: 40_000, reads: 20, writtenBytes: 40_000, writes: 20 };
    expect(maxFreeSeconds(usedEach(300, one))).toBeLessThanOrEqual(300);
  });

  test.each([
    // playwright-cli 0.1.22, eval (observed).
    ['bytes and processor time', { readBytes: 532, reads: 11, writtenBytes: 1729, writes: 13, cpuMs: 15 }],
    ['bytes', { readBytes: 60, reads: 1, writtenBytes: 20, writes: 1 }],
    ['processor time', { cpuMs: 60 }],
    ['wakes, as where a program reads by recv(2), which no counter tells', { writtenBytes: 8000, writes: 1000 }],
  ] as readonly [string, Partial<Done>][])('begins again at each use of 200 ms, which moves %s', (_what, one) => {
    expect(maxFreeSeconds(usedEach(720, one))).toBeLessThanOrEqual(720);
  });

  test('is never free where it works all the time, however evenly', () => {
    // agent-browser 0.41, idle: what a command of it moves is less than its wakes (observed).
    expect(maxFreeSeconds(waking(10, 1.2))).toBeLessThan(60);
    expect(maxFreeSeconds((seconds) => plus(idle(seconds), seconds, { cpuMs: 50 }))).toBe(0);
    expect(maxFreeSeconds((seconds) => plus(idle(seconds), seconds, { writtenBytes: 40, writes: 1 }))).toBe(0);
  });

  test('is not offered where bytes move and its system calls are not told', () => {
    const done = (seconds: number) => plus(idle(seconds), Math.floor(seconds / 720), { writtenBytes: 60 });
    expect(maxFreeSeconds(done, { counted: false })).toBeLessThan(freeHelperSeconds);
  });

  test('begins again where a process came, went, or can not be read', () => {
    const at = (seconds: number, pids: readonly number[], read: readonly number[], before: ServerMemory | null) => {
      const all = pids.map((pid) => rowOf(pid, ['helper']));
      const table = { nowTicks: seconds * 100, ticksPerSecond: 100, rows } as unknown as ProcessTable;
      return observeServer(
        { standing: 'detached', why: ['own-session'], freeSeconds: 0 },
        {
          table,
          tree: processTree(new Map(all.map((one) => [one.pid, one]))),
          members: all.map((one) => ({ row: one, by: ['env' as const] })),
          facts: new Map(read.map((pid) => [pid, factsOf({ ioBytes: 0, ioCounts: still })])),
          before,
          quietSeconds: 300,
        },
      );
    };
    const both = at(1005, [40, 41], [40, 41], at(1000, [40, 41], [40, 41], null).memory);
    expect(both.state).toMatchObject({ freeSeconds: 5 });
    expect(at(1010, [40], [40], both.memory).state).toMatchObject({ freeSeconds: 0 });
    expect(at(1010, [40, 42], [40, 42], both.memory).state).toMatchObject({ freeSeconds: 0 });
    expect(at(1010, [40, 41], [40], both.memory).state).toMatchObject({ freeSeconds: 0 });
  });

  test('begins again where an earlier release remembered it, which did not measure its work', () => {
    const memory = rememberedAt(1000);
    const old = { ...memory, free: { seconds: 9000, atTicks: 100_000 } };
    expect(freeAt(1005, old)).toBe(0);
    expect(freeAt(1005, { ...memory, free: { ...memory.free, ...old.free } })).toBe(9005);
  });
});
