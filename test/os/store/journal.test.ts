import { safe } from '../../ui/scene/safe.ts';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { redactCommand } from '../../../app/format/secrets/redact.ts';
import { JournalUnwritable } from '../../../main/store/database/store-failure.ts';
import { ended, sampleIntent, sent } from '../../unit/history/sample.ts';
import { bytesIn, emptyFolder, recordIn, smallDisk, start } from './support.ts';

const intent = sampleIntent();
const { id, atMs } = intent;

const failureOf = (work: () => void): JournalUnwritable => {
  try {
    work();
  } catch (error) {
    if (error instanceof JournalUnwritable) return error;
    throw error;
  }
  throw new Error('it was written');
};

describe('a call that has returned is on disk', () => {
  test.each([1, 2, 7, 20])('when the Curfew that writes is killed after %i lines', async (count) => {
    const folder = emptyFolder();
    const writer = start('record', folder, '1', '0');
    await writer.line(() => writer.lines.length >= count);
    writer.child.kill('SIGKILL');
    expect(await writer.end).toBe('SIGKILL');

    const { all, history, notices } = recordIn(folder);
    const outcomes = new Map(all().map((incident) => [incident.id, incident.outcome]));
    for (const line of writer.lines) {
      const [what, acknowledged = ''] = line.split(' ');
      expect(outcomes.has(acknowledged)).toBe(true);
      expect(what === 'ended' ? outcomes.get(acknowledged) : 'reaped').toBe('reaped');
    }
    expect(history.unfinished().length).toBeLessThanOrEqual(1);
    expect(notices).toEqual([]);
  });

  test('an intent without an ending is found afterwards, with its writer', () => {
    const folder = emptyFolder();
    const { journal, history } = recordIn(folder);
    journal.begin(intent);
    journal.append(id, sent(atMs + 5));
    expect(history.unfinished()).toMatchObject([{ id, writer: intent.writer, signals: [{ target: 'group 39' }] }]);
    // A later Curfew completes it.
    recordIn(folder).journal.append(id, ended(atMs + 60_000, { outcome: 'interrupted' }));
    expect(history.unfinished()).toEqual([]);
    expect(history.get(id)?.outcome).toBe('interrupted');
    // So does another that found it too: the first entry counts, in the list and in the sums.
    const freed = { processes: 3, rssBytes: 4096, cameAndWent: 0, ports: [], locks: [] };
    recordIn(folder).journal.append(id, ended(atMs + 60_001, { outcome: 'interrupted', freed }));
    expect(history.overview({}).processes).toBe(history.get(id)?.freed.processes);
  });
});

// More would wait longer than the patience of one on a busy machine.
test('twelve processes that record at once lose nothing and wait for one another', async () => {
  const folder = emptyFolder();
  const writers = Array.from({ length: 12 }, (_, number) => start('record', folder, String(number), '4'));
  for (const writer of writers) expect([await writer.end, writer.errors()]).toEqual([0, '']);
  const { all, notices } = recordIn(folder);
  const incidents = all();
  expect(incidents).toHaveLength(48);
  expect(incidents.every(({ outcome, signals }) => outcome === 'reaped' && signals.length === 1)).toBe(true);
  expect(writers.flatMap(({ lines }) => lines.filter((line) => line.startsWith('notice')))).toEqual([]);
  expect(notices).toEqual([]);
});

describe('several records together', () => {
  test('are stored together or not at all', () => {
    const { journal, all } = recordIn(emptyFolder());
    expect(() => {
      journal.together(() => {
        journal.begin(intent);
        throw new Error('changed its mind');
      });
    }).toThrow('changed its mind');
    expect(all()).toEqual([]);
    journal.together(() => {
      journal.begin(intent);
      journal.append(id, sent(atMs));
    });
    expect(all()).toHaveLength(1);
  });

  test('an id in use is refused, and nothing else of that record is written', () => {
    const { journal, all } = recordIn(emptyFolder());
    journal.begin(intent);
    expect(() => {
      journal.together(() => {
        journal.begin(sampleIntent({ id: '1m7w23a3m030ns' }));
        journal.begin(sampleIntent({ command: 'another' }));
      });
    }).toThrow(JournalUnwritable);
    expect(all().map(({ command }) => command)).toEqual([intent.command]);
  });
});

test('a record that can’t be read back does not count as recorded', () => {
  const { journal, all } = recordIn(emptyFolder());
  expect(() => {
    journal.begin(sampleIntent({ atMs: Number.NaN }));
  }).toThrow('could not be read back');
  expect(() => {
    journal.append('1m7w23a3m0none', sent(atMs));
  }).toThrow('There is no incident');
  expect(all()).toEqual([]);
});

test('no secret is in any of the files, and they belong to the user alone', () => {
  const folder = join(emptyFolder(), 'new', 'home');
  const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
  const { journal, path } = recordIn(folder, redactCommand);
  journal.begin(sampleIntent({ command: `GITHUB_TOKEN=${secret} npm publish` }));
  journal.append(id, ended(atMs, { outputTail: safe(`token: ${secret}`) }));
  expect(bytesIn(folder)).toContain('npm publish');
  expect(bytesIn(folder)).not.toContain(secret);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm', '.lock']) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
});

describe('while a reaping is in progress', () => {
  test('a record that was removed is written again', () => {
    const folder = emptyFolder();
    const { journal, path, all, notices } = recordIn(folder);
    journal.begin(intent);
    journal.append(id, sent(atMs + 5));
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
    journal.append(id, ended(atMs + 90));
    expect(all()).toMatchObject([{ id, outcome: 'reaped', signals: [{ target: 'group 39' }] }]);
    expect(notices).toEqual([]);
  });

  test('a record that gets damaged is set aside and written again', () => {
    const folder = emptyFolder();
    const { journal, path, all, notices } = recordIn(folder);
    journal.begin(intent);
    journal.close();
    writeFileSync(path, 'x'.repeat(10_000));
    journal.append(id, ended(atMs + 90));
    expect(all()).toMatchObject([{ id, command: intent.command, outcome: 'reaped' }]);
    expect(notices).toMatchObject([{ kind: 'set-aside', path }]);
  });

  test('results that a full disk refuses are written once there is space', () => {
    const disk = smallDisk(1_000_000);
    const { journal, all, notices, path } = recordIn(disk.folder);
    journal.begin(intent);
    disk.fill();
    // The space that SQLite has already reserved is enough for some.
    const failure = failureOf(() => {
      for (let number = 0; number < 2_000; number += 1) {
        journal.append(id, { kind: 'note', atMs, text: safe('y'.repeat(900)) });
      }
    });
    expect(failure).toMatchObject({ problem: 'disk-full', path });
    expect(failure.message).toMatch(/no space.*Automatic ending is off.*Free some space/);
    disk.fill();
    expect(failureOf(() => journal.append(id, ended(atMs + 90))).problem).toBe('disk-full');
    expect(journal.problem()).toBeInstanceOf(JournalUnwritable);
    expect(all()).toMatchObject([{ id, outcome: null }]);

    disk.makeRoom();
    expect(journal.problem()).toBeNull();
    expect(all()).toMatchObject([{ id, outcome: 'reaped', tookMs: 90 }]);
    expect(notices).toEqual([]);
  });
});

describe('nothing can be recorded, and a message says why and what to do,', () => {
  test('on a read-only file system', () => {
    const disk = smallDisk(4_000_000);
    const { journal, all } = recordIn(disk.folder);
    journal.begin(intent);
    journal.append(id, ended(atMs));
    journal.close();
    disk.makeReadOnly();
    const failure = failureOf(() => journal.begin(sampleIntent({ id: '1m7w23a3m030ns' })));
    expect(failure).toMatchObject({ problem: 'read-only', name: 'JournalUnwritable' });
    expect(failure.message).toMatch(/read-only.*CURFEW_HOME/);
    expect(journal.problem()?.problem).toBe('read-only');
    // The record is still readable.
    expect(all()).toMatchObject([{ id, outcome: 'reaped' }]);
    disk.makeWritable();
    expect(journal.problem()).toBeNull();
  });

  test('on a read-only file system without a record', () => {
    const disk = smallDisk(1_000_000);
    disk.makeReadOnly();
    const { journal, all } = recordIn(join(disk.folder, 'home'));
    expect(journal.problem()?.problem).toBe('read-only');
    expect(all()).toEqual([]);
  });

  test('if a file is in the way', () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'home'), '');
    const { journal } = recordIn(join(folder, 'home'));
    expect(journal.problem()?.message).toMatch(/can't be used \(.*CURFEW_HOME/);
    expect(readFileSync(join(folder, 'home'), 'utf8')).toBe('');
  });
});
