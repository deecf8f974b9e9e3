import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKnownPlain, keepMemory, nothingKept, wasSeenKept } from '../../../app/jobs/ledger/kept.ts';
import type { KeepMemory } from '../../../app/jobs/ledger/ledger.ts';
import type { MemberFacts } from '../../../app/process/facts.ts';
import type { ProcessRow } from '../../../app/process/row.ts';
import { factsOf, rowOf } from '../judge/job-builder.ts';

interface One {
  readonly row: ProcessRow;
  readonly facts: MemberFacts;
}

const one = (
  pid: number,
  argv: readonly string[],
  row: Partial<ProcessRow>,
  facts: Partial<MemberFacts> = {},
): One => ({
  row: rowOf(pid, argv, row),
  facts: factsOf({ executable: `/usr/bin/${argv[0]}`, image: `image ${pid}`, environment: {}, ...facts }),
});

const rewritten: Partial<MemberFacts> = { environment: null, hidden: 'rewritten' };
const shell = (script: string, facts: Partial<MemberFacts> = {}): One => one(39, ['bash', '-c', script], {}, facts);
const server = (facts: Partial<MemberFacts> = rewritten, row: Partial<ProcessRow> = {}): One =>
  one(40, ['server: x'], { ppid: rowOf(39, []).pid, comm: 'redis-server', ...row }, facts);

const look = (
  members: readonly One[],
  before: KeepMemory = nothingKept,
  more: Partial<Parameters<typeof keepMemory>[0]> = {},
): KeepMemory => {
  const [first] = members;
  if (first === undefined) throw new Error('a job has members');
  return keepMemory({
    table: { rows: new Map(members.map(({ row }) => [row.pid, row])) },
    members: members.map(({ row }) => ({ row, by: ['tree'] })),
    facts: new Map(members.map(({ row, facts }) => [Number(row.pid), facts])),
    root: first.row,
    script: first.row.argv[2] ?? null,
    command: 'x',
    before,
    keptElsewhere: [],
    ...more,
  });
};

const plainPids = ({ plain }: KeepMemory): readonly number[] => plain.map(({ pid }) => pid);
const keptPids = ({ kept }: KeepMemory): readonly number[] => kept.map(({ pid }) => pid);

describe('the mark once seen', () => {
  const seen = look([shell('./start.sh'), server({ environment: { CURFEW_KEEP: '1' } })]);

  test('counts when the environment is overwritten, and when another program runs under that identity', () => {
    expect(keptPids(seen)).toEqual([40]);
    for (const facts of [rewritten, { ...rewritten, image: 'another' }, { environment: {}, image: 'another' }]) {
      const later = look([shell('./start.sh'), server(facts)], seen);
      expect(keptPids(later)).toContain(40);
      expect(wasSeenKept(later, server(facts).row, server(facts).facts)).toBe(true);
    }
  });

  test('counts for a forked child, which has the same program image, and not for a stranger with the same pid', () => {
    const child = one(41, ['server: y'], {}, { ...rewritten, image: 'image 40' });
    expect(wasSeenKept(seen, child.row, child.facts)).toBe(true);
    const other = one(40, ['sleep'], { startTicks: 77 }, { image: 'another' });
    expect(wasSeenKept(seen, other.row, other.facts)).toBe(false);
  });

  test('is forgotten when the process has ended', () => {
    expect(look([shell('./start.sh')], seen).kept).toEqual([]);
  });

  test('counts in whatever job it is now', () => {
    const elsewhere = look([shell('x'), server(rewritten)], nothingKept, { keptElsewhere: seen.kept });
    expect(keptPids(elsewhere)).toEqual([40]);
  });
});

describe('a program whose environment was overwritten before it was seen', () => {
  test('does not carry the mark where a plain shell started it by name and its text alone says with which variables', () => {
    for (const script of [
      'redis-server &',
      'cd x && nohup redis-server >/dev/null & sleep 9',
      'A=1 redis-server; true',
    ])
      expect(plainPids(look([shell(script), server()]))).toEqual([39, 40]);
  });

  test.each([
    ['a script started it', [shell('./start.sh'), server()]],
    ['the shell read a file', [shell('. ./.env; redis-server'), server()]],
    ['the shell itself can not be read', [shell('redis-server', rewritten), server()]],
    ['the text keeps it', [shell('CURFEW_KEEP=1 redis-server'), server()]],
    ['it has another parent', [shell('redis-server'), server(rewritten, { ppid: rowOf(1, []).pid })]],
    [
      'a program of the same interpreter started it',
      [
        shell('perl a.pl'),
        one(41, ['perl', 'a.pl'], { ppid: rowOf(39, []).pid }),
        server({ ...rewritten, executable: '/usr/bin/perl' }, { ppid: rowOf(41, []).pid, comm: 'perl' }),
      ],
    ],
  ] as const)('may carry it where %s', (_why, members) => {
    const memory = look(members);
    expect(plainPids(memory)).not.toContain(40);
  });

  test('does not carry it where its parent is plain and the same program: the children of a browser', () => {
    const main = one(41, ['chrome'], { ppid: rowOf(39, []).pid, comm: 'chrome' });
    const zygote = one(
      42,
      ['chrome --type=zygote'],
      { ppid: main.row.pid, comm: 'chrome' },
      { environment: null, hidden: 'refused', executable: null },
    );
    const renderer = one(
      43,
      ['chrome --type=renderer'],
      { ppid: zygote.row.pid, comm: 'chrome' },
      { environment: null, hidden: 'refused', executable: null },
    );
    expect(plainPids(look([shell('npm test'), main, zygote, renderer]))).toEqual([39, 41, 42, 43]);
  });

  test('stays known when its shell has ended, until it runs another program', () => {
    const before = look([shell('redis-server; true'), server()]);
    const alone = look([server()], before, { script: null });
    expect(plainPids(alone)).toEqual([40]);
    const other = server({ ...rewritten, image: 'another' });
    expect(plainPids(look([other], alone, { script: null }))).toEqual([]);
    expect(isKnownPlain(alone, other.row, other.facts)).toBe(false);
  });

  test('where the machine tells no program images, only the identity counts', () => {
    const { image: _image, ...facts } = server().facts;
    const marks: KeepMemory = {
      assigned: false,
      kept: [],
      plain: [{ pid: 40, startTicks: server().row.startTicks, image: null }],
    };
    expect(isKnownPlain(marks, server().row, facts)).toBe(true);
    expect(isKnownPlain(marks, rowOf(41, ['x']), facts)).toBe(false);
  });
});

describe('the text of the command', () => {
  test.each([
    ['the tool call', look([shell('CURFEW_KEEP=1 redis-server & sleep 9')])],
    ['what is known of it', look([server()], nothingKept, { script: null, command: 'CURFEW_KEEP=1 redis-server' })],
    ['a member', look([one(39, ['timeout', '9', 'env', 'CURFEW_KEEP=1', 'redis-server'], {})])],
    ['an earlier look', look([server()], { ...nothingKept, assigned: true }, { script: null })],
  ])('%s assigns it', (_where, memory) => {
    expect(memory.assigned).toBe(true);
  });

  test('a mention is no assignment', () => {
    expect(look([shell('grep CURFEW_KEEP=1 x')], nothingKept, { command: 'grep CURFEW_KEEP=1 x' }).assigned).toBe(
      false,
    );
  });
});

test('however often and in whatever state it is seen, a process that once carried the mark is kept and never plain', () => {
  const state = fc.constantFrom<Partial<MemberFacts>>(
    { environment: {} },
    rewritten,
    { environment: null, hidden: 'refused' },
    { environment: {}, image: 'b' },
    { ...rewritten, image: 'b' },
  );
  fc.assert(
    fc.property(fc.array(state), fc.array(state), (before, after) => {
      let memory = nothingKept;
      for (const facts of [...before, { environment: { CURFEW_KEEP: '1' } }, ...after])
        memory = look([shell('redis-server'), server(facts)], memory);
      const last = server(after.at(-1) ?? {});
      expect(wasSeenKept(memory, last.row, last.facts)).toBe(true);
      expect(plainPids(memory)).not.toContain(40);
    }),
  );
});
