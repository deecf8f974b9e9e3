import { appendFileSync, copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Keep, SparedFact } from '../../../app/jobs/spared/spared.ts';
import { asJobId } from '../../../app/model/job.ts';
import { asBootId } from '../../../app/process/identity.ts';
import { StoreFailure, type StoreNotice } from '../../../main/store/database/store-failure.ts';
import { LedgerFile } from '../../../main/store/ledger/ledger.ts';
import { SparedFile } from '../../../main/store/spared/spared-file.ts';
import { emptyFolder, smallDisk } from './support.ts';

const here = { bootId: asBootId('boot-a/4026531836'), nowTicks: 5_000 };
const elsewhere = { bootId: asBootId('boot-b/4026531836'), nowTicks: 900 };
const at = (nowTicks: number): typeof here => ({ ...here, nowTicks });
const job = asJobId('1a2b3c4d');
const keep: Keep = { fromTicks: 5_000, seconds: 600, by: 'user', capSeconds: null };
const kept: SparedFact = { kind: 'keep', job, keep };
const mine: SparedFact = { kind: 'mine', job, mine: true, pid: 40, startTicks: 1_001 };
const carried: SparedFact = { kind: 'carried', pid: 41, startTicks: 1_002, image: 'a.b.c.d' };
const user: SparedFact = { kind: 'user', pid: 42, startTicks: 1_003, sid: 42 };

const everything = {
  keeps: new Map([[job, keep]]),
  mine: [{ job, pid: 40, startTicks: 1_001 }],
  carried: [{ pid: 41, startTicks: 1_002, image: 'a.b.c.d' }],
  witnesses: [{ kind: 'user', pid: 42, startTicks: 1_003, sid: 42 }],
};

interface Opened {
  readonly file: SparedFile;
  readonly notices: StoreNotice[];
}

const open = (...paths: readonly string[]): Opened => {
  const notices: StoreNotice[] = [];
  return { file: new SparedFile(paths, (notice) => notices.push(notice)), notices };
};

const twoCopies = (): readonly [string, string] => {
  const folder = emptyFolder();
  return [join(folder, 'home/spared.jsonl'), join(folder, 'boot/spared.jsonl')];
};

const saidIn = (paths: readonly string[]): SparedFile => {
  const { file } = open(...paths);
  file.say(here, [kept, mine]);
  file.note(here, [carried, user]);
  return file;
};

const losses: Readonly<Record<string, (path: string) => void>> = {
  removed: (path) => rmSync(path),
  emptied: (path) => truncateSync(path),
  'full of something else': (path) => writeFileSync(path, Buffer.alloc(100_000, 0xff)),
  'torn in its last line': (path) => truncateSync(path, statSync(path).size - 7),
  'damaged in its first line': (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('{"boot"', '{"x')),
};

describe.each(Object.keys(losses))('what spares processes is known where one copy is %s', (how) => {
  test.each([0, 1])('copy %i, to a new process and one that goes on', (lost) => {
    const paths = twoCopies();
    const going = saidIn(paths);
    losses[how]?.(paths[lost] ?? '');
    expect(open(...paths).file.of(here.bootId)).toMatchObject(everything);
    expect(going.of(here.bootId)).toMatchObject(everything);
    // And the copy is whole again.
    expect(open(paths[lost] ?? '').file.of(here.bootId)).toMatchObject(everything);
  });
});

test('an older copy of the file, as of a restored home, forgets nothing that the other copy has', () => {
  const paths = twoCopies();
  const { file } = open(...paths);
  file.say(here, [kept]);
  copyFileSync(paths[0], `${paths[0]}.old`);
  file.say(at(6_000), [mine, { kind: 'keep', job, keep: { ...keep, fromTicks: 6_000 } }]);
  rmSync(paths[0]);
  copyFileSync(`${paths[0]}.old`, paths[0]);
  const { keeps, mine: said } = open(...paths).file.of(here.bootId);
  expect([keeps.get(job)?.fromTicks, said.length]).toEqual([6_000, 1]);
});

// That of the boot may lie in /tmp, where processes in sandboxes can write.
test('a copy elsewhere than in the home adds to what is spared, and takes nothing back', () => {
  const line = (nowTicks: number, fact: SparedFact): string =>
    `${JSON.stringify({ boot: here.bootId, atTicks: nowTicks, fact })}\n`;
  const other: SparedFact = { kind: 'keep', job: asJobId('99999999'), keep };
  for (const forged of [
    { ...kept, keep: null },
    { ...kept, keep: { ...keep, seconds: 0 } },
    { ...kept, keep: { ...keep, fromTicks: 0 } },
    { ...kept, keep: { ...keep, by: 'session' } },
    { ...mine, mine: false },
  ] as readonly SparedFact[]) {
    const paths = twoCopies();
    const going = saidIn(paths);
    appendFileSync(paths[1], line(9_000, forged) + line(9_000, other));
    for (const file of [going, open(...paths).file]) {
      const { keeps, mine: said } = file.of(here.bootId);
      expect([keeps.get(job), said, keeps.size]).toEqual([keep, everything.mine, 2]);
    }
    going.takeBack(at(9_500), job);
    expect(
      open(...paths)
        .file.of(here.bootId)
        .keeps.get(job),
    ).toBeUndefined();
  }
});

test('a copy that grew beyond measure is not read, and the other one holds', () => {
  const paths = twoCopies();
  const going = saidIn(paths);
  truncateSync(paths[1], 1_900_000_000);
  const opened = open(...paths);
  for (const file of [going, opened.file]) expect(file.of(here.bootId)).toMatchObject(everything);
  expect(opened.notices).toMatchObject([{ kind: 'in-memory', path: paths[1] }]);
});

test('what began before both copies were beyond measure counts as forgotten', () => {
  const paths = twoCopies();
  saidIn(paths).meet(here, 'a ledger');
  for (const path of paths) truncateSync(path, 100_000_000);
  const { file } = open(...paths);
  for (const nowTicks of [7_000, 8_000])
    expect(file.meet(at(nowTicks), 'a ledger')).toMatchObject({ keeps: new Map(), lostAtTicks: 7_000 });
});

/** What 9,000 programs that carry marks leave, of which a number still runs. */
const flood = (
  from: number,
  living: number,
): { facts: readonly SparedFact[]; isOver: (fact: SparedFact) => boolean } => {
  const facts = Array.from(
    { length: 9_000 },
    (_, index) => ({ ...carried, pid: 100 + index, startTicks: from + index }) as const,
  );
  const alive = new Set(facts.slice(0, living).map(({ pid }) => pid));
  return { facts, isOver: (fact) => fact.kind === 'carried' && !alive.has(fact.pid) };
};

test('programs that carry marks, without end, take no more room than those that run, and push nothing out', () => {
  const paths = twoCopies();
  const file = saidIn(paths);
  for (let round = 0; round < 6; round += 1) {
    const { facts, isOver } = flood(10_000 + round * 10_000, 10);
    file.note(at(10_000 + round), facts, isOver);
  }
  for (const path of paths) expect(statSync(path).size).toBeLessThan(3_500_000);
  const { file: fresh } = open(...paths);
  const { keeps, mine: said, witnesses, carried: marked } = fresh.of(here.bootId);
  expect({ keeps, mine: said, witnesses, carried: everything.carried }).toEqual(everything);
  expect(marked.length).toBeLessThan(27_000);
  expect(marked).toContainEqual({ pid: 109, startTicks: 60_009, image: 'a.b.c.d' });
});

test('what the user takes back is taken back in every copy and every process', () => {
  const paths = twoCopies();
  const going = saidIn(paths);
  open(...paths).file.takeBack(here, job);
  for (const file of [going, open(...paths).file, open(paths[0]).file, open(paths[1]).file])
    expect(file.of(here.bootId)).toMatchObject({ keeps: new Map(), mine: [], carried: everything.carried });
});

test('entries of another machine mean nothing here, and stay', () => {
  const paths = twoCopies();
  open(...paths).file.say(elsewhere, [kept, mine]);
  const { file } = open(...paths);
  expect(file.of(here.bootId)).toEqual({ ...file.of(asBootId('none')), lostAtTicks: null });
  file.say(here, [{ kind: 'keep', job, keep: null }]);
  expect(open(...paths).file.of(elsewhere.bootId)).toMatchObject({ keeps: everything.keeps, mine: everything.mine });
});

test('many sayings are compacted, and none that counts is lost, nor what another process appends', () => {
  const paths = twoCopies();
  const one = saidIn(paths);
  const other = open(...paths).file;
  other.say(elsewhere, [kept]);
  const many = Array.from({ length: 30 }, (_, number) => ({ ...mine, job, pid: 100 + number, startTicks: 7 }) as const);
  for (let turn = 1; turn <= 200; turn += 1) {
    const toggled = many.map((fact) => ({ ...fact, mine: turn % 2 === 1 }) as const);
    const saying = at(5_000 + turn);
    (turn % 2 === 0 ? one : other).say(saying, [{ kind: 'keep', job, keep: { ...keep, fromTicks: turn } }, ...toggled]);
  }
  expect(statSync(paths[0]).size).toBeLessThan(400_000);
  const { file } = open(paths[0]);
  expect(file.of(here.bootId)).toMatchObject({
    ...everything,
    keeps: new Map([[job, { ...keep, fromTicks: 200 }]]),
  });
  expect(file.of(elsewhere.bootId).keeps.size).toBe(1);
});

test('nothing is written while nothing new is seen', () => {
  const paths = twoCopies();
  const file = saidIn(paths);
  const before = paths.map((path) => statSync(path).size);
  for (let look = 0; look < 500; look += 1) {
    file.meet(at(5_000 + look), 'ledger-1');
    file.note(at(5_000 + look), [carried, user]);
  }
  const after = paths.map((path) => statSync(path).size);
  file.meet(at(9_000), 'ledger-1');
  expect(paths.map((path) => statSync(path).size)).toEqual(after);
  expect(after[0]).toBeLessThan((before[0] ?? 0) + 200);
});

/** More than the rest of the file's last page, which a full disk still takes. */
const muchMine = Array.from({ length: 100 }, (_, number) => ({ ...mine, job, pid: 100 + number }));

describe('a disk that is full', () => {
  test('keeps what the user says in the copy that can be written', () => {
    const disk = smallDisk(200_000);
    const [, second] = twoCopies();
    const { file, notices } = open(join(disk.folder, 'spared.jsonl'), second);
    file.note(here, [user]);
    disk.fill();
    file.say(here, [...muchMine, kept]);
    expect(open(second).file.of(here.bootId).keeps.size).toBe(1);
    expect(notices.map(({ kind }) => kind)).toEqual(['in-memory']);
    disk.makeRoom();
    file.note(here, [carried]);
    expect(open(join(disk.folder, 'spared.jsonl')).file.of(here.bootId)).toMatchObject({
      keeps: everything.keeps,
      carried: everything.carried,
      witnesses: everything.witnesses,
    });
  });

  test('makes it an error where no copy can be written, and it holds in this process', () => {
    const disk = smallDisk(200_000);
    const path = join(disk.folder, 'spared.jsonl');
    const { file } = open(path);
    file.note(here, [user]);
    disk.fill();
    expect(() => file.say(here, [...muchMine, kept])).toThrow(StoreFailure);
    expect(file.of(here.bootId).keeps.size).toBe(1);
    disk.makeRoom();
    file.note(here, [carried]);
    expect(open(path).file.of(here.bootId).keeps.size).toBe(1);
  });
});

const ledgerIn = (folder: string, spared: readonly string[]): LedgerFile =>
  new LedgerFile(join(folder, 'ledger.db'), Date.now, () => undefined, new SparedFile(spared, () => undefined));

const ledgerLosses: Readonly<Record<string, (path: string) => void>> = {
  removed: (path) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  },
  emptied: (path) => {
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    truncateSync(path);
  },
  damaged: (path) => writeFileSync(path, 'damaged '.repeat(1_000)),
  'put back from a backup': (path) => {
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    copyFileSync(`${path}.backup`, `${path}.new`);
    rmSync(path);
    copyFileSync(`${path}.new`, path);
  },
};

describe.each(Object.keys(ledgerLosses))('a ledger that is %s in this boot', (how) => {
  test.each(['a new process', 'one that goes on'])('is noticed by %s, with the moment', (by) => {
    const folder = emptyFolder();
    const paths = [join(folder, 'spared.jsonl')];
    const first = ledgerIn(folder, paths);
    expect(first.spared.meet(here).lostAtTicks).toBeNull();
    if (by === 'a new process' || how === 'put back from a backup') first.close();
    copyFileSync(join(folder, 'ledger.db'), join(folder, 'ledger.db.backup'));
    ledgerLosses[how]?.(join(folder, 'ledger.db'));
    const next = by === 'a new process' ? ledgerIn(folder, paths) : first;
    expect(next.spared.meet(at(7_000)).lostAtTicks).toBe(7_000);
    expect(next.spared.meet(at(8_000)).lostAtTicks).toBe(7_000);
    next.close();
    const later = ledgerIn(folder, paths);
    expect(later.spared.meet(at(9_000)).lostAtTicks).toBe(7_000);
    // Another boot has lost nothing.
    expect(later.spared.meet(elsewhere).lostAtTicks).toBeNull();
    later.close();
  });
});

test('a ledger that can’t be read now spares all that is there now, and only as long', () => {
  const { file } = open(join(emptyFolder(), 'spared.jsonl'));
  file.meet(here, 'ledger-1');
  expect(file.meet(at(6_000), null).lostAtTicks).toBe(6_000);
  expect(file.meet(at(7_000), 'ledger-1').lostAtTicks).toBeNull();
});

test('a line that was torn is followed by whole ones', () => {
  const path = join(emptyFolder(), 'spared.jsonl');
  open(path).file.say(here, [kept]);
  appendFileSync(path, '{"boot":"boot-a/4026531836","atTicks":5');
  open(path).file.say(here, [mine]);
  expect(open(path).file.of(here.bootId)).toMatchObject({ keeps: everything.keeps, mine: everything.mine });
});

test('a ledger without a birth is the same with one, and no other once that is known', () => {
  const { file } = open(...twoCopies());
  const lost = (ticks: number, ledger: string) => file.meet(at(ticks), ledger).lostAtTicks;
  expect([lost(5_000, 'a 8:40:'), lost(5_001, 'a 8:40:'), lost(5_002, 'a 8:40:17')]).toEqual([null, null, null]);
  expect([lost(6_000, 'a 8:40:'), lost(7_000, 'a 8:40:18')]).toEqual([6_000, 6_000]);
  expect([lost(8_000, 'a 8:40:19'), lost(9_000, 'a 8:41:')]).toEqual([8_000, 9_000]);
});
