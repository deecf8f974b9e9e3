import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKnownPlain, keepMemory, nothingKept, wasSeenKept } from '../../../../app/jobs/ledger/kept.ts';
import type { KeepMemory } from '../../../../app/jobs/ledger/ledger.ts';
import type { MemberFacts } from '../../../../app/process/facts.ts';
import type { ProcessRow } from '../../../../app/process/row.ts';
import { factsOf, rowOf } from '../../judge/job-builder.ts';
import { safe } from '../../safe-text.ts';

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
    command: safe('x'),
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

  test('is forgotten when the process has ended, and not while it is only in no job', () => {
    expect(look([shell('./start.sh')], seen).kept).toEqual([]);
    const rows = new Map([shell('x'), server(rewritten)].map(({ row }) => [row.pid, row]));
    expect(keptPids(look([shell('./start.sh')], seen, { table: { rows } }))).toEqual([40]);
    const reused = new Map([[server().row.pid, { ...server().row, startTicks: 77 }]]);
    expect(look([shell('./start.sh')], seen, { table: { rows: reused } }).kept).toEqual([]);
  });

  test('is remembered once for each program that ran under that identity: its forks have the image of the one that they left', () => {
    const [mark] = seen.kept;
    expect(look([shell('x'), server(rewritten)], seen).kept).toEqual([mark]);
    const another = look([shell('x'), server({ ...rewritten, image: 'another' })], seen);
    expect(another.kept).toEqual([mark, { ...mark, image: 'another' }]);
    const two = [server(), one(41, ['y'], {}, { ...rewritten, image: 'image 40' })];
    expect(keptPids(look([shell('x'), ...two], seen))).toEqual([40, 41]);
    const rows = new Map(two.map(({ row }) => [row.pid, row]));
    expect(keptPids(look([shell('x'), ...two.slice(1)], seen, { table: { rows } }))).toEqual([40, 41]);
  });

  test('counts where nothing more can be read of the process', () => {
    const memory = look([shell('x'), server()], seen, { facts: new Map() });
    expect(memory.kept).toContainEqual({ pid: 40, startTicks: server().row.startTicks, image: null });
    expect(wasSeenKept(memory, server().row, null)).toBe(true);
  });

  test('is not another’s that began in the same moment', () => {
    const marks = { kept: [{ pid: 40, startTicks: server().row.startTicks, image: null }] };
    const { row, facts } = one(41, ['x'], { startTicks: server().row.startTicks }, rewritten);
    expect(wasSeenKept(marks, server().row, facts)).toBe(true);
    expect(wasSeenKept(marks, row, facts)).toBe(false);
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

  test('is known by the name of its file, and by its name without a version', () => {
    for (const [comm, executable] of [
      ['x', '/opt/redis-server'],
      ['redis-server-7.2', null],
      ['x', '/opt/redis-server7'],
    ] as const)
      expect(plainPids(look([shell('redis-server'), server({ ...rewritten, executable }, { comm })]))).toEqual([
        39, 40,
      ]);
    for (const comm of ['x', 'redis-server-x', 'my-redis-server'])
      expect(plainPids(look([shell('redis-server'), server({ ...rewritten, executable: null }, { comm })]))).toEqual([
        39,
      ]);
  });

  test('does not carry it where its parent runs the same file, whatever either calls itself', () => {
    const started = (parent: string, child: string | null, comm: string): readonly number[] => {
      const main = one(41, ['chrome'], { ppid: rowOf(39, []).pid, comm: 'chrome' }, { executable: parent });
      const of = server({ ...rewritten, executable: child }, { ppid: main.row.pid, comm });
      return plainPids(look([shell('npm test'), main, of]));
    };
    expect(started('/opt/chrome', '/opt/chrome', 'renderer')).toContain(40);
    expect(started('/opt/chrome', '/opt/other', 'chrome')).not.toContain(40);
    expect(started('/opt/chrome', null, 'chrome')).toContain(40);
    expect(started('/opt/chrome', null, 'renderer')).not.toContain(40);
    // A script has the name that it chose.
    expect(started('/usr/bin/perl5.38', '/usr/bin/perl5.38', 'chrome')).not.toContain(40);
  });

  describe('the text is', () => {
    const wrapped = ['bash', '-c', '. /tmp/snapshot; eval "$1"'] as const;
    const wrapper = one(39, wrapped, {});
    const below = server(rewritten, { ppid: rowOf(41, []).pid });
    const inside = (argv: readonly string[], root = wrapper): readonly number[] =>
      plainPids(look([root, one(41, argv, { ppid: root.row.pid }), below], nothingKept, { script: 'redis-server' }));

    test('the one that the agent was asked for, where the shell of the call or a fork of it started the program', () => {
      expect(plainPids(look([wrapper, server()], nothingKept, { script: 'redis-server' }))).toEqual([39, 40]);
      expect(inside(wrapped)).toEqual([39, 41, 40]);
    });

    test('that of its own shell, where that is another', () => {
      expect(inside(['bash', '-c', 'redis-server'])).toEqual([39, 41, 40]);
      expect(inside(['bash', '-c', '. ./env; redis-server'])).toEqual([39, 41]);
      expect(inside(wrapped, one(39, [...wrapped, 'x'], {}))).toEqual([39, 41]);
      expect(inside([...wrapped, 'x'])).toEqual([39, 41]);
    });

    test('that of the root, where no grammar shows another', () => {
      expect(plainPids(look([shell('redis-server'), server()], nothingKept, { script: null }))).toEqual([39, 40]);
    });
  });

  describe('timeout between a shell and a program', () => {
    const timeout = (facts: Partial<MemberFacts> = {}): One =>
      one(41, ['/usr/bin/timeout', '9', 'redis-server'], { ppid: rowOf(39, []).pid }, facts);
    const below = server(rewritten, { ppid: rowOf(41, []).pid });

    test('hands the environment on as it is', () => {
      expect(plainPids(look([shell('timeout 9 redis-server'), timeout(), below]))).toEqual([39, 41, 40]);
    });

    test('shows nothing where the shell above it can not be read or has ended, or it itself can not be read', () => {
      expect(plainPids(look([shell('timeout 9 redis-server', rewritten), timeout(), below]))).toEqual([41]);
      expect(plainPids(look([timeout(), below], nothingKept, { script: null }))).toEqual([41]);
      expect(
        plainPids(look([shell('timeout 9 redis-server'), timeout({ ...rewritten, executable: '/x' }), below])),
      ).not.toContain(40);
    });
  });

  test('is not asked about on a machine that shows no environments', () => {
    expect(plainPids(look([shell('redis-server'), server({ environment: null })]))).toEqual([39]);
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
    expect(isKnownPlain(marks, server().row, null)).toBe(true);
    expect(isKnownPlain(marks, rowOf(41, ['x']), facts)).toBe(false);
    expect(isKnownPlain(marks, rowOf(41, ['x'], { startTicks: server().row.startTicks }), facts)).toBe(false);
    expect(isKnownPlain(marks, { ...server().row, startTicks: 77 }, facts)).toBe(false);
    // It tells some: then this may be another.
    expect(isKnownPlain(marks, server().row, server().facts)).toBe(false);
    const withImage = { plain: [{ pid: 40, startTicks: server().row.startTicks, image: 'image 40' }] };
    expect(isKnownPlain(withImage, server().row, facts)).toBe(false);
    expect(isKnownPlain(withImage, server().row, null)).toBe(false);
  });
});

describe('the text of the command', () => {
  test.each<[string, () => KeepMemory]>([
    ['the tool call', () => look([shell('CURFEW_KEEP=1 redis-server & sleep 9')])],
    [
      'what is known of it',
      () => look([server()], nothingKept, { script: null, command: safe('CURFEW_KEEP=1 redis-server') }),
    ],
    ['a member', () => look([one(39, ['timeout', '9', 'env', 'CURFEW_KEEP=1', 'redis-server'], {}), server()])],
    ['an earlier look', () => look([server()], { ...nothingKept, assigned: true }, { script: null })],
  ])('%s assigns it', (_where, memory) => {
    expect(memory().assigned).toBe(true);
  });

  test('a mention is no assignment', () => {
    expect(look([shell('grep CURFEW_KEEP=1 x')], nothingKept, { command: safe('grep CURFEW_KEEP=1 x') }).assigned).toBe(
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
