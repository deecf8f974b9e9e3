import { inEnglish } from '../../../app/text/say.ts';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openDatabase, prepareDatabase, replaceDamaged } from '../../../main/store/database/database.ts';
import { fileAt, setAsideFiles } from '../../../main/store/database/set-aside.ts';
import { StoreFailure, sayStoreNotice } from '../../../main/store/database/store-failure.ts';
import { ended, sampleIntent } from '../../unit/history/sample.ts';
import { emptyFolder, recordIn, start, type Record } from './support.ts';

const count = 40;

const filled = (folder: string): Record => {
  const record = recordIn(folder);
  record.journal.together(() => {
    for (let number = 0; number < count; number += 1) {
      const intent = sampleIntent({ id: `1m7w23a3m03${String(number).padStart(3, '0')}`, command: 'x'.repeat(3_000) });
      record.journal.begin(intent);
      record.journal.append(intent.id, ended(intent.atMs));
    }
  });
  record.journal.close();
  return record;
};

const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 73 + 41) % 256));

const damages: readonly (readonly [string, (whole: Buffer) => Buffer])[] = [
  ['that is empty', () => Buffer.alloc(0)],
  ['of one byte', (whole) => whole.subarray(0, 1)],
  ['that ends in its header', (whole) => whole.subarray(0, 60)],
  ['that ends after its header', (whole) => whole.subarray(0, 100)],
  ['that ends after its first page', (whole) => whole.subarray(0, 8_192)],
  ['of half its length', (whole) => whole.subarray(0, 8_192 * Math.floor(whole.length / 16_384))],
  ['of zeros', (whole) => Buffer.alloc(whole.length)],
  ['of noise', (whole) => noise(whole.length)],
  ['that is a text', () => Buffer.from('{"this":"is no database"}\n')],
  [
    'whose first page is noise behind the header',
    (whole) => Buffer.concat([whole.subarray(0, 100), noise(8_092), whole.subarray(8_192)]),
  ],
];

/** What a file holds beyond what Curfew makes: it would run at each use, or never end. */
const endless = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
const additions: readonly (readonly [string, string])[] = [
  ['a trigger that takes out what is written', 'CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM event; END'],
  [
    'a view in the place of a table',
    `DROP TABLE counted_since; CREATE VIEW counted_since AS SELECT x AS at_ms FROM (${endless})`,
  ],
];

describe('a record', () => {
  test.each(additions)('with %s is set aside, and a fresh one is begun', (_, addition) => {
    const folder = emptyFolder();
    const { path } = filled(folder);
    const altered = new DatabaseSync(path);
    altered.exec(addition);
    altered.close();

    const { journal, all, notices } = recordIn(folder);
    journal.begin(sampleIntent());
    expect(all()).toMatchObject([{ id: sampleIntent().id }]);
    expect(setAsideFiles(path)).toHaveLength(1);
    expect(notices).toMatchObject([{ kind: 'set-aside', path }]);
  });

  test.each(damages)('%s is set aside unchanged, and a fresh one is begun', (_, damage) => {
    const folder = emptyFolder();
    const { path } = filled(folder);
    const damaged = damage(readFileSync(path));
    writeFileSync(path, damaged);

    const { journal, all, notices } = recordIn(folder);
    journal.begin(sampleIntent());
    expect(all()).toMatchObject([{ id: sampleIntent().id }]);
    const [kept = 'none', ...others] = setAsideFiles(path);
    expect(others).toEqual([]);
    expect(readFileSync(kept).equals(damaged)).toBe(true);
    expect(notices).toMatchObject([{ kind: 'set-aside', path, movedTo: kept }]);
    expect(notices.map((one) => inEnglish(sayStoreNotice(one))).join()).toContain(
      `What was recorded before is in ${kept}`,
    );
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('with noise in its middle is read as far as possible or set aside, and never an error', () => {
    const original = emptyFolder();
    const { path } = filled(original);
    const whole = readFileSync(path);
    let setAside = 0;
    for (let at = 8_192; at < whole.length; at += 8_192) {
      const folder = emptyFolder();
      const damaged = Buffer.from(whole);
      noise(8_192).copy(damaged, at);
      writeFileSync(join(folder, 'history.db'), damaged);
      const { journal, all, notices } = recordIn(folder);
      const read = all();
      expect(read.length).toBeLessThanOrEqual(count);
      journal.begin(sampleIntent({ id: '1m7w23a3m0zzzz' }));
      expect(all().some(({ id }) => id === '1m7w23a3m0zzzz')).toBe(true);
      setAside += notices.filter(({ kind }) => kind === 'set-aside').length;
    }
    expect(setAside).toBeGreaterThan(0);
  });

  test('with invalid entries is read without them, and reports it', () => {
    const { path, all, notices } = filled(emptyFolder());
    const connection = new DatabaseSync(path);
    connection.exec("UPDATE event SET body = 'x' WHERE number = 0 AND incident = '1m7w23a3m03007'");
    connection.exec("UPDATE event SET body = '{}' WHERE number = 1 AND incident = '1m7w23a3m03009'");
    connection.close();
    const incidents = all();
    expect(incidents).toHaveLength(count - 1);
    expect(incidents.find(({ id }) => id === '1m7w23a3m03009')?.outcome).toBeNull();
    expect(notices).toMatchObject([{ kind: 'dropped', rows: 1 }]);
  });
});

test('twenty processes that find the same damaged record set it aside once and lose nothing of the fresh one', async () => {
  const folder = emptyFolder();
  const { path } = filled(folder);
  const damaged = noise(50_000);
  writeFileSync(path, damaged);
  const writers = Array.from({ length: 20 }, (_, number) => start('record', folder, String(number), '3', 'wait'));
  for (const writer of writers) await writer.line();
  for (const writer of writers) writer.child.stdin.write('go\n');
  for (const writer of writers) expect([await writer.end, writer.errors()]).toEqual([0, '']);
  expect(writers.flatMap(({ lines }) => lines.filter((line) => line === 'notice set-aside'))).toHaveLength(1);
  expect(setAsideFiles(path).map((kept) => readFileSync(kept).equals(damaged))).toEqual([true]);
  expect(recordIn(folder).all()).toHaveLength(60);
});

test('a record that another process replaced and keeps open is used by the one that found the damage late', () => {
  const folder = emptyFolder();
  const { path, place, all } = filled(folder);
  writeFileSync(path, noise(50_000));
  const found = fileAt(path);
  const other = openDatabase(place);
  replaceDamaged(place, found, new Error('found before the other replaced it'));
  expect(setAsideFiles(path)).toHaveLength(1);
  expect(prepareDatabase(place, 50)).toBe(false);
  expect(all()).toEqual([]);
  other.close();
});

test('a damaged record that another process has open is not removed under it', () => {
  const folder = emptyFolder();
  const { path, place, all } = filled(folder);
  const other = openDatabase(place);
  const whole = readFileSync(path);
  writeFileSync(path, noise(whole.length));
  let failure: unknown;
  try {
    all();
  } catch (error) {
    failure = error;
  }
  expect(failure).toBeInstanceOf(StoreFailure);
  expect(failure).toMatchObject({ problem: 'damaged' });
  expect(setAsideFiles(path)).toEqual([]);
  other.close();
  expect(all()).toEqual([]);
  expect(setAsideFiles(path)).toHaveLength(1);
});

describe('left unchanged at any price is', () => {
  const expectUntouched = (folder: string, path: string, problem: string, words: RegExp): void => {
    const before = readFileSync(path);
    const { journal, all } = recordIn(folder);
    expect(journal.problem()).toMatchObject({ name: 'JournalUnwritable', problem });
    expect(() => {
      journal.begin(sampleIntent());
    }).toThrow(words);
    expect(all).toThrow(words);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(setAsideFiles(path)).toEqual([]);
  };

  test('the record of a newer Curfew', () => {
    const folder = emptyFolder();
    const { path } = filled(folder);
    const connection = new DatabaseSync(path);
    connection.exec('PRAGMA user_version = 99; CREATE TABLE from_the_future (x)');
    connection.close();
    expectUntouched(folder, path, 'newer-version', /written by a newer Curfew.*Automatic ending is off.*Update/);
  });

  test('the database of another program', () => {
    const folder = emptyFolder();
    const path = join(folder, 'history.db');
    const connection = new DatabaseSync(path);
    connection.exec('CREATE TABLE visits (url TEXT)');
    connection.close();
    expectUntouched(folder, path, 'foreign-file', /database of another program.*Automatic ending is off/);
  });

  test('the database of another program that identifies itself', () => {
    const folder = emptyFolder();
    const { path } = filled(folder);
    const connection = new DatabaseSync(path);
    connection.exec('PRAGMA application_id = 252006674');
    connection.close();
    expectUntouched(folder, path, 'foreign-file', /database of another program/);
  });

  test('a folder in its place', () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'history.db'));
    const { journal } = recordIn(folder);
    expect(journal.problem()).toMatchObject({ problem: 'unusable' });
    expect(readdirSync(join(folder, 'history.db'))).toEqual([]);
  });
});

test('a record that is restored in place of another is used unchanged', () => {
  const folder = emptyFolder();
  const { path, journal, all, notices } = filled(folder);
  const copy = join(emptyFolder(), 'copy.db');
  copyFileSync(path, copy);
  journal.begin(sampleIntent());
  journal.close();
  renameSync(copy, path);
  expect(all()).toHaveLength(count);
  expect(notices).toEqual([]);
});
