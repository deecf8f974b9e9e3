import { execFile } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { SettingsFile, SettingsUnwritable } from '../../../main/store/settings/settings-file.ts';
import { writeWholeFile } from '../../../main/store/files/whole-file.ts';
import { emptyFolder, smallDisk } from '../store/support.ts';

const atMs = Date.UTC(2026, 10, 21, 2);
const opened = (folder: string, now: () => number = () => atMs): SettingsFile =>
  new SettingsFile({
    path: join(folder, 'settings.json'),
    claudePath: join(folder, 'claude.json'),
    machinePath: null,
    home: '/home/me',
    now,
  });
const write = (folder: string, text: string, name = 'settings.json'): void => {
  writeFileSync(join(folder, name), text);
};
const written = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'));
const copies = (folder: string): readonly string[] => readdirSync(folder).filter((name) => name.includes('.bad-'));

describe('reading', () => {
  test('without a file there are defaults, and nothing is written', () => {
    const folder = emptyFolder();
    expect(opened(folder).load()).toMatchObject({
      settings: defaultSettings,
      notices: [],
      forcesObserve: false,
      own: {},
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('Claude Code’s block ranks below Curfew’s own file', () => {
    const folder = emptyFolder();
    write(folder, '{"bash":{"backgroundMaxElapsedSeconds":600,"backgroundKillSignal":"INT"}}', 'claude.json');
    write(folder, '{"backgroundKillSignal":"HUP"}');
    const { settings, fallback } = opened(folder).load();
    expect(settings).toMatchObject({ backgroundMaxElapsedSeconds: 600, backgroundKillSignal: 'HUP' });
    expect(fallback).toMatchObject({ backgroundMaxElapsedSeconds: 600, backgroundKillSignal: 'INT' });
  });

  test('unreadable settings of Claude Code are ignored and left as they are', () => {
    const folder = emptyFolder();
    write(folder, '{"bash":', 'claude.json');
    const { settings, notices, forcesObserve } = opened(folder).load();
    expect(settings).toEqual(defaultSettings);
    expect(notices.map(({ field }) => field)).toEqual(['bash']);
    expect(forcesObserve).toBe(false);
    expect(readdirSync(folder)).toEqual(['claude.json']);
  });

  test('with a byte order mark', () => {
    const folder = emptyFolder();
    write(folder, '\uFEFF{"noticeSeconds":7}');
    expect(opened(folder).load()).toMatchObject({ settings: { noticeSeconds: 7 }, notices: [] });
  });

  test('a change by any program counts at the next scan, even with the same time and length', () => {
    const folder = emptyFolder();
    const file = opened(folder, Date.now);
    for (const seconds of [11, 12, 13]) {
      write(folder, `{"noticeSeconds":${seconds}}`);
      expect(file.load().settings.noticeSeconds).toBe(seconds);
    }
    utimesSync(join(folder, 'settings.json'), 1, 1);
    expect(file.load().settings.noticeSeconds).toBe(13);
    writeFileSync(join(folder, 'claude.json'), '{"bash":{"backgroundKillGraceSeconds":5}}');
    expect(file.load().settings.backgroundKillGraceSeconds).toBe(5);
  });

  test('nothing is read again while nothing has changed', () => {
    const folder = emptyFolder();
    write(folder, '{"noticeSeconds":7}');
    const file = opened(folder, () => Date.now() + 60_000);
    expect(file.load()).toBe(file.load());
  });
});

describe('an invalid file', () => {
  const bad = [
    '{',
    '',
    'nonsense',
    '"text"',
    '[]',
    'null',
    '{"exemptions":"all","mode":"enforce"}',
    '{"noticeSeconds":"x"}',
  ];

  test.each(bad)('is kept beside it, once: %s', (text) => {
    const folder = emptyFolder();
    write(folder, text);
    const first = opened(folder).load();
    expect(copies(folder)).toEqual(['settings.bad-20261121T020000Z.json']);
    expect(readFileSync(join(folder, 'settings.bad-20261121T020000Z.json'), 'utf8')).toBe(text);
    expect(first.notices.at(-1)?.text).toContain(join(folder, 'settings.bad-20261121T020000Z.json'));
    const later = opened(folder, () => atMs + 1e6);
    later.load();
    later.load();
    expect(copies(folder)).toHaveLength(1);
    expect(first.settings.mode).not.toBe('enforce');
  });

  test('another one is kept too, even in the same second', () => {
    const folder = emptyFolder();
    const file = opened(folder);
    for (const text of ['{', '{{', '{{{']) {
      write(folder, text);
      file.load();
    }
    expect(copies(folder)).toHaveLength(3);
  });

  test.each(['{"noSetting":1}', '{"backgroundMaxElapsedSeconds":20000}', '{"schemaVersion":9}'])(
    'what is only unknown or too long gets a notice and no copy: %s',
    (text) => {
      const folder = emptyFolder();
      write(folder, text);
      expect(opened(folder).load().notices).toHaveLength(1);
      expect(copies(folder)).toEqual([]);
    },
  );

  test('a file that can’t be opened makes Curfew observe, and blocks nothing', () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'settings.json'));
    expect(opened(folder).load()).toMatchObject({ forcesObserve: true, settings: { mode: null } });
    const other = emptyFolder();
    symlinkSync('/dev/zero', join(other, 'settings.json'));
    expect(opened(other).load().forcesObserve).toBe(true);
  });

  test('a file that is far too large is not read', () => {
    const folder = emptyFolder();
    write(folder, `{"noticeSeconds":7}${' '.repeat(2_000_000)}`);
    expect(opened(folder).load()).toMatchObject({ forcesObserve: true, settings: { noticeSeconds: 60 } });
  });

  test('the notice quotes nothing that may be a secret', () => {
    const folder = emptyFolder();
    write(folder, '{"token": "ghp_abcdefghijklmnopqrstuvwxyz", ]');
    expect(JSON.stringify(opened(folder).load().notices)).not.toContain('abcdefghij');
  });
});

describe('changing', () => {
  test('writes a file for the user alone, and leaves the rest as it is', () => {
    const folder = join(emptyFolder(), 'new', 'curfew');
    const file = opened(folder);
    expect(file.change({ mode: 'enforce' })).toMatchObject({ ok: true, loaded: { settings: { mode: 'enforce' } } });
    expect(statSync(join(folder, 'settings.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    write(folder, '{"schemaVersion":7,"sandboxes":{"a":1}}');
    file.change({ noticeSeconds: 7 });
    expect(written(folder)).toEqual({ schemaVersion: 7, sandboxes: { a: 1 }, noticeSeconds: 7 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a refused change changes nothing', () => {
    const folder = emptyFolder();
    write(folder, '{"noticeSeconds":7}');
    expect(opened(folder).change({ noticeSeconds: 8, mode: 'Enforce' })).toMatchObject({
      ok: false,
      problems: [{ field: 'mode' }],
    });
    expect(written(folder)).toEqual({ noticeSeconds: 7 });
  });

  test('an invalid file is kept before it is replaced', () => {
    const folder = emptyFolder();
    write(folder, '{"mode":"enforce",');
    opened(folder).change({ noticeSeconds: 7 });
    expect(written(folder)).toEqual({ schemaVersion: 1, noticeSeconds: 7 });
    expect(copies(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['{"mode":"enforce",']);
    expect(opened(folder).load().settings.mode).toBeNull();
  });

  test('nothing is written if the old file can’t be kept', () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'settings.json'));
    expect(() => opened(folder).change({ noticeSeconds: 7 })).toThrow(SettingsUnwritable);
    expect(statSync(join(folder, 'settings.json')).isDirectory()).toBe(true);
  });

  test('a link is followed, so that settings stored elsewhere stay there', () => {
    const folder = emptyFolder();
    const dotfiles = emptyFolder();
    write(dotfiles, '{"noticeSeconds":7}', 'curfew.json');
    symlinkSync(join(dotfiles, 'curfew.json'), join(folder, 'settings.json'));
    opened(folder).change({ mode: 'observe' });
    expect(JSON.parse(readFileSync(join(dotfiles, 'curfew.json'), 'utf8'))).toMatchObject({
      noticeSeconds: 7,
      mode: 'observe',
    });
  });

  test('on a full disk the file stays whole, and the error says why', () => {
    const disk = smallDisk(262_144);
    const file = opened(disk.folder);
    const before = { noticeSeconds: 7, padding: 'x'.repeat(20_000) };
    write(disk.folder, JSON.stringify(before));
    file.change({ noticeSeconds: 8 });
    disk.fill();
    expect(() => file.change({ noticeSeconds: 9 })).toThrow(/could not be changed/u);
    expect(written(disk.folder)).toMatchObject({ noticeSeconds: 8, padding: before.padding });
    disk.makeRoom();
    expect(file.change({ noticeSeconds: 9 })).toMatchObject({ ok: true });
  });

  test('a write that doesn’t fit on the disk leaves no partial file', () => {
    const { folder } = smallDisk(65_536);
    const path = join(folder, 'settings.json');
    writeWholeFile(path, 'before');
    expect(() => writeWholeFile(path, 'x'.repeat(100_000))).toThrow(/ENOSPC/u);
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['settings.json']);
  });

  test('on a disk that is read-only', () => {
    const disk = smallDisk(262_144);
    write(disk.folder, '{"noticeSeconds":7}');
    disk.makeReadOnly();
    expect(() => opened(disk.folder).change({ noticeSeconds: 8 })).toThrow(SettingsUnwritable);
    expect(opened(disk.folder).load().settings.noticeSeconds).toBe(7);
    disk.makeWritable();
  });
});

describe('many at once', () => {
  const run = promisify(execFile);
  const program = join(import.meta.dirname, 'programs', 'change.ts');

  test('twenty processes that change ten settings lose none', async () => {
    const folder = emptyFolder();
    write(folder, '{"later":"kept"}');
    const changes = [
      { noticeSeconds: 7 },
      { mode: 'observe' },
      { historyDays: 7 },
      { appearance: 'dark' },
      { orphanGraceSeconds: 7 },
      { atMaxElapsed: 'notify' },
      { hosts: ['build'] },
      { 'notifications.sound': true },
      { 'notifications.overdue': false },
      { 'notifications.afterReap': false },
    ];
    const all = Array.from({ length: 20 }, (_, index) => changes[index % changes.length] ?? {});
    const reader = opened(folder, Date.now);
    const seen = new Set<string>();
    const watching = setInterval(() => {
      const { bad, notices } = reader.load();
      seen.add(`${bad} ${notices.map(({ field }) => field).join()}`);
    }, 5);
    const make = async (change: object): Promise<void> => {
      try {
        await run(process.execPath, [program, folder, JSON.stringify(change)]);
      } catch (error) {
        // On a busy machine all twenty take longer than one waits for the others, and says so.
        if (!String(error).includes('another process has been changing them')) throw error;
        await make(change);
      }
    };
    await Promise.all(all.map(make));
    clearInterval(watching);
    // No reader ever saw a half-written file.
    expect([...seen]).toEqual(['false later']);
    expect(written(folder)).toEqual({
      schemaVersion: 1,
      later: 'kept',
      noticeSeconds: 7,
      mode: 'observe',
      historyDays: 7,
      appearance: 'dark',
      orphanGraceSeconds: 7,
      atMaxElapsed: 'notify',
      hosts: ['build'],
      notifications: { sound: true, overdue: false, afterReap: false },
    });
    expect(readdirSync(folder).toSorted()).toEqual(['settings.json', 'settings.json.lock']);
  });

  test('a process killed during a change leaves the file whole and the lock free', async () => {
    const folder = emptyFolder();
    write(folder, '{"noticeSeconds":7}');
    const started = Array.from({ length: 8 }, (_, index) => {
      const child = execFile(process.execPath, [program, folder, JSON.stringify({ orphanGraceSeconds: index })]);
      const ended = new Promise((resolve) => child.once('close', resolve));
      setTimeout(() => child.kill('SIGKILL'), 60 + index * 25);
      return ended;
    });
    await Promise.all(started);
    expect(opened(folder).change({ noticeSeconds: 9 })).toMatchObject({ ok: true });
    expect(written(folder)).toMatchObject({ noticeSeconds: 9 });
    expect(opened(folder).load().bad).toBe(false);
  });
});

test('what is kept can be read by the user alone', () => {
  const folder = emptyFolder();
  write(folder, '{');
  chmodSync(join(folder, 'settings.json'), 0o644);
  opened(folder).load();
  expect(copies(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
});
