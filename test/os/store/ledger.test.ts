import { inEnglish } from '../../../app/text/say.ts';
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asAgentSessionId } from '../../../app/agents/common/agent-id.ts';
import { asJobId } from '../../../app/model/job.ts';
import type { LedgerEntry } from '../../../app/jobs/ledger/ledger.ts';
import { asBootId } from '../../../app/process/identity.ts';
import { LedgerFile } from '../../../main/store/ledger/ledger.ts';
import { sayStoreNotice, type StoreNotice } from '../../../main/store/database/store-failure.ts';
import { emptyFolder, smallDisk } from './support.ts';
import { safe } from '../../unit/safe-text.ts';

const boot = asBootId('boot-a:4026531836');
const otherBoot = asBootId('boot-b:4026531836');
const dayMs = 86_400_000;

const entryOf = (changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: asJobId('1a2b3c4d'),
  bootId: boot,
  agent: 'claude-code',
  rule: 'claude-shell',
  command: safe('npm run dev'),
  project: '/home/me/shop',
  session: asAgentSessionId('43c8e917'),
  task: 'b83bdcc1a',
  output: null,
  root: { pid: 39, startTicks: 1_000 },
  groups: [39],
  kernelSessions: [39],
  members: [
    { pid: 39, startTicks: 1_000 },
    { pid: 40, startTicks: 1_001 },
  ],
  owner: { pid: 34, startTicks: 900 },
  ownerService: null,
  ownerGoneSinceMs: null,
  ownerGoneAtTicks: null,
  provenance: [
    { code: 'wrapper', rule: 'claude-shell' },
    { code: 'parent', agent: 'claude-code' },
  ],
  proof: { kind: 'look', agent: 'claude-code', process: { pid: 34, startTicks: 900 }, atMs: 5_000 },
  firstSeenMs: 5_000,
  lastSeenMs: 10_000,
  lastSeenTicks: 2_000,
  watch: null,
  activity: {
    cpuMs: 15,
    ioBytes: null,
    outputBytes: 80,
    membership: '79',
    changedAtTicks: 1_500,
    observedAtTicks: 2_000,
    quietLooks: 3,
  },
  noticedAtMs: null,
  announcedAtTicks: null,
  ...changes,
});

/** The same job at a later scan without changes. */
const later = (entry: LedgerEntry, seconds: number): LedgerEntry => ({
  ...entry,
  lastSeenMs: entry.lastSeenMs + seconds * 1_000,
  lastSeenTicks: entry.lastSeenTicks + seconds * 100,
  activity: {
    ...entry.activity,
    observedAtTicks: entry.activity.observedAtTicks + seconds * 100,
    quietLooks: entry.activity.quietLooks + 1,
  },
});

interface Opened {
  readonly path: string;
  readonly ledger: LedgerFile;
  readonly notices: readonly StoreNotice[];
  readonly clock: { now: number };
}

const ledgerIn = (folder: string): Opened => {
  const notices: StoreNotice[] = [];
  const clock = { now: 1_000_000 };
  const path = join(folder, 'ledger.db');
  const ledger = new LedgerFile(
    path,
    () => clock.now,
    (notice) => notices.push(notice),
  );
  onTestFinished(() => {
    ledger.close();
  });
  return { path, ledger, notices, clock };
};

/** Content of the disk, write-ahead log included, and time of the last change. */
const contentOf = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => {
      const path = join(folder, name);
      return `${name} ${statSync(path, { bigint: true }).mtimeNs} ${readFileSync(path, 'base64')}`;
    })
    .join('\n');

test('what a link in its place leads to keeps its rights: it may be the system’s', () => {
  const folder = emptyFolder();
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'of the system');
  chmodSync(elsewhere, 0o666);
  symlinkSync(elsewhere, join(folder, 'ledger.db'));
  ledgerIn(folder).ledger.load(boot);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o666);
});

test('observations of a job are known after a restart, exactly', () => {
  const folder = emptyFolder();
  const entry = entryOf({ noticedAtMs: 9_000, ownerGoneSinceMs: 8_000 });
  const first = ledgerIn(folder);
  expect(first.ledger.load(boot)).toEqual([]);
  first.ledger.save(boot, [entry]);
  // Not closed: a Curfew that is killed has no time for that.
  expect(ledgerIn(folder).ledger.load(boot)).toEqual([entry]);
  expect(ledgerIn(folder).ledger.load(otherBoot)).toEqual([]);
  expect(statSync(first.path).mode & 0o777).toBe(0o600);
});

describe('CURFEW_KEEP=1', () => {
  const mark = { pid: 40, startTicks: 1_001, image: 'a.b.c.d' };
  const plain = { pid: 39, startTicks: 1_000, image: null };

  test('is known after a restart, and entries of earlier versions without it are read', () => {
    const folder = emptyFolder();
    const seen = entryOf({ keep: { assigned: true, kept: [mark], plain: [plain] } });
    const old = entryOf({ id: asJobId('2b3c4d5e') });
    ledgerIn(folder).ledger.save(boot, [seen, old]);
    expect(ledgerIn(folder).ledger.load(boot)).toEqual([seen, old]);
  });

  test('counts if one Curfew saw it and another, which did not, scanned later', () => {
    const folder = emptyFolder();
    const { ledger } = ledgerIn(folder);
    const other = ledgerIn(folder).ledger;
    const nothing = { assigned: false, kept: [], plain: [mark, plain] };
    other.load(boot);
    ledger.save(boot, [entryOf({ keep: { assigned: true, kept: [mark], plain: [] } })]);
    other.save(boot, [later(entryOf({ keep: nothing }), 5)]);
    const [entry] = ledger.load(boot);
    expect(entry?.lastSeenMs).toBe(15_000);
    expect(entry?.keep).toEqual({ assigned: true, kept: [mark], plain: [plain] });
  });
});

describe('on the disk', () => {
  test('nothing is written while nothing happens', () => {
    const folder = emptyFolder();
    const { ledger } = ledgerIn(folder);
    const jobs = Array.from({ length: 20 }, (_, number) => entryOf({ id: asJobId(`1a2b3c${String(10 + number)}`) }));
    ledger.load(boot);
    ledger.save(boot, jobs);
    const before = contentOf(folder);
    for (let look = 1; look <= 1_000; look += 1) {
      ledger.load(boot);
      ledger.save(
        boot,
        jobs.map((entry) => later(entry, look * 5)),
      );
    }
    expect(contentOf(folder)).toBe(before);
    expect(ledger.load(boot)[0]?.lastSeenMs).toBe(10_000 + 5_000_000);
  });

  test('members of a job are written at once, measurements after a minute', () => {
    const folder = emptyFolder();
    const { ledger } = ledgerIn(folder);
    const onDisk = (): LedgerEntry | undefined => ledgerIn(folder).ledger.load(boot)[0];
    const entry = entryOf();
    ledger.save(boot, [entry]);

    const busy = (seconds: number): LedgerEntry => ({
      ...later(entry, seconds),
      activity: { ...later(entry, seconds).activity, cpuMs: 15 + seconds },
    });
    ledger.save(boot, [busy(5)]);
    expect(onDisk()).toEqual(entry);
    ledger.save(boot, [busy(60)]);
    expect(onDisk()).toEqual(busy(60));

    const grown = { ...busy(61), members: [...entry.members, { pid: 41, startTicks: 6_000 }] };
    ledger.save(boot, [grown]);
    expect(onDisk()).toEqual(grown);
  });

  test('the end writes the latest scan', () => {
    const folder = emptyFolder();
    const { ledger } = ledgerIn(folder);
    ledger.save(boot, [entryOf()]);
    ledger.save(boot, [later(entryOf(), 5)]);
    ledger.close();
    expect(ledgerIn(folder).ledger.load(boot)).toEqual([later(entryOf(), 5)]);
  });

  test('a job that ended is forgotten; one that only another process has seen is not', () => {
    const folder = emptyFolder();
    const one = ledgerIn(folder).ledger;
    const other = ledgerIn(folder).ledger;
    const theirs = entryOf({ id: asJobId('0000aaaa') });
    one.load(boot);
    one.save(boot, [entryOf()]);
    other.load(boot);
    other.save(boot, [entryOf(), theirs]);
    one.save(boot, []);
    expect(ledgerIn(folder).ledger.load(boot)).toEqual([theirs]);
    expect(one.load(boot)).toEqual([theirs]);
  });

  test('the latest scan wins', () => {
    const folder = emptyFolder();
    const supervisor = ledgerIn(folder).ledger;
    const slow = ledgerIn(folder).ledger;
    supervisor.save(boot, [{ ...later(entryOf(), 50), groups: [39, 77] }]);
    slow.save(boot, [{ ...entryOf(), groups: [39] }]);
    expect(ledgerIn(folder).ledger.load(boot)[0]?.groups).toEqual([39, 77]);
  });

  test('jobs of another boot stay for a week, for a container that shares the home', () => {
    const folder = emptyFolder();
    const container = ledgerIn(folder);
    const theirs = entryOf({ bootId: otherBoot });
    container.ledger.save(otherBoot, [theirs]);
    const { ledger, clock } = ledgerIn(folder);
    clock.now += 6 * dayMs;
    ledger.save(boot, [entryOf()]);
    expect(ledgerIn(folder).ledger.load(otherBoot)).toEqual([theirs]);
    clock.now += 2 * dayMs;
    ledger.save(boot, [{ ...entryOf(), groups: [39, 50] }]);
    expect(ledgerIn(folder).ledger.load(otherBoot)).toEqual([]);
  });
});

test('a notice to the user is stored at once', () => {
  const folder = emptyFolder();
  const { ledger } = ledgerIn(folder);
  ledger.save(boot, [entryOf()]);
  const gone = { id: asJobId('ffffffff'), announcedAtTicks: null };
  ledger.rememberNotices([{ id: entryOf().id, announcedAtTicks: null }, gone], 77);
  expect(ledgerIn(folder).ledger.load(boot)).toEqual([{ ...entryOf(), noticedAtMs: 77 }]);
});

describe('a ledger that can’t be used', () => {
  test('is replaced by memory, and that is reported once', () => {
    const disk = smallDisk(100_000);
    disk.makeReadOnly();
    const { ledger, notices, clock } = ledgerIn(disk.folder);
    for (let look = 0; look < 50; look += 1) {
      clock.now += 5_000;
      expect(ledger.load(boot)).toHaveLength(look === 0 ? 0 : 1);
      ledger.save(boot, [later(entryOf(), look * 5)]);
    }
    expect(notices.map(({ kind }) => kind)).toEqual(['in-memory']);
    expect(notices.map((one) => inEnglish(sayStoreNotice(one))).join()).toMatch(
      /read-only.*goes on with what it remembers.*end less/,
    );
    disk.makeWritable();
  });

  test('of a newer Curfew is left unchanged', () => {
    const folder = emptyFolder();
    const { ledger, path } = ledgerIn(folder);
    ledger.save(boot, [entryOf()]);
    ledger.close();
    const connection = new DatabaseSync(path);
    connection.exec('PRAGMA user_version = 99');
    connection.close();
    const before = readFileSync(path);
    const { ledger: old, notices } = ledgerIn(folder);
    expect(old.load(boot)).toEqual([]);
    old.save(boot, [entryOf()]);
    expect(old.load(boot)).toEqual([entryOf()]);
    old.close();
    expect(notices.map(({ kind }) => kind)).toEqual(['in-memory']);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('is set aside if it is damaged, and known entries are written into the fresh one', () => {
    const folder = emptyFolder();
    const { ledger, path, notices } = ledgerIn(folder);
    ledger.save(boot, [entryOf()]);
    ledger.close();
    writeFileSync(path, 'damaged '.repeat(1_000));
    ledger.load(boot);
    ledger.save(boot, [later(entryOf(), 5)]);
    expect(ledgerIn(folder).ledger.load(boot)).toEqual([later(entryOf(), 5)]);
    expect(notices).toMatchObject([{ kind: 'set-aside' }]);
  });
});

describe('an entry with any invalid part proves nothing', () => {
  const whole = entryOf();
  test.each([
    ['no JSON', '{'],
    ['the group of all processes', JSON.stringify({ ...whole, groups: [39, 1] })],
    ['the group 0', JSON.stringify({ ...whole, groups: [0] })],
    ['a process of a negative id', JSON.stringify({ ...whole, members: [{ pid: -39, startTicks: 5 }] })],
    ['process 1', JSON.stringify({ ...whole, root: { pid: 1, startTicks: 0 } })],
    ['a process without a start', JSON.stringify({ ...whole, members: [{ pid: 39 }] })],
    ['an unknown agent', JSON.stringify({ ...whole, agent: 'unknown' })],
    ['the id of another job', JSON.stringify({ ...whole, id: '00000000' })],
    ['the boot of another machine', JSON.stringify({ ...whole, bootId: otherBoot })],
    ['a provenance that is none', JSON.stringify({ ...whole, provenance: [{ code: 'hearsay' }] })],
    ['no activity', JSON.stringify({ ...whole, activity: null })],
  ])('%s', (_, body) => {
    const folder = emptyFolder();
    const { ledger, path } = ledgerIn(folder);
    const good = entryOf({ id: asJobId('0000aaaa') });
    ledger.save(boot, [whole, good]);
    ledger.close();
    const connection = new DatabaseSync(path);
    connection.prepare("UPDATE entry SET body = ? WHERE id = '1a2b3c4d'").run(body);
    connection.close();

    const { ledger: reader, notices } = ledgerIn(folder);
    expect(reader.load(boot)).toEqual([good]);
    expect(reader.load(boot)).toEqual([good]);
    expect(notices).toMatchObject([{ kind: 'dropped', rows: 1 }]);
    reader.save(boot, [good]);
    expect(ledgerIn(folder).notices).toEqual([]);
  });
});
