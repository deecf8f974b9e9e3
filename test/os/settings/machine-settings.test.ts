import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { SettingsFile, type LoadedSettings } from '../../../main/store/settings/settings-file.ts';
import { manyUsers, unlessManyUsers } from '../machine-facts.ts';
import { emptyFolder } from '../store/support.ts';

interface Layers {
  readonly machine?: string;
  readonly claude?: string;
  readonly own?: string;
}

const write = (path: string, text: string | undefined): void => {
  if (text !== undefined) writeFileSync(path, text, { mode: 0o644 });
};

const opened = (folder: string): SettingsFile =>
  new SettingsFile({
    path: join(folder, 'settings.json'),
    claudePath: join(folder, 'claude.json'),
    machinePath: join(folder, 'machine.json'),
    home: '/home/me',
    now: Date.now,
  });

const loaded = ({ machine, claude, own }: Layers): LoadedSettings => {
  const folder = emptyFolder();
  write(join(folder, 'machine.json'), machine);
  write(join(folder, 'claude.json'), claude);
  write(join(folder, 'settings.json'), own);
  return opened(folder).load();
};

const enforcing = '{"mode":"enforce","noticeSeconds":9,"backgroundKillSignal":"INT"}';

describe('the operator’s defaults for every user', () => {
  test('hold where the user’s own settings are silent', () => {
    expect(loaded({}).settings).toEqual(defaultSettings);
    const { settings, notices, forcesObserve, fallback } = loaded({ machine: enforcing, own: '{"noticeSeconds":5}' });
    expect(settings).toEqual({
      ...defaultSettings,
      mode: 'enforce',
      noticeSeconds: 5,
      backgroundKillSignal: 'INT',
    });
    expect(fallback.noticeSeconds).toBe(9);
    expect({ notices, forcesObserve }).toEqual({ notices: [], forcesObserve: false });
  });

  test('rank below the block of Claude Code and below the mode that the user chose', () => {
    const claude = '{"bash":{"backgroundKillSignal":"HUP"}}';
    expect(loaded({ machine: enforcing, claude }).settings).toMatchObject({ backgroundKillSignal: 'HUP' });
    expect(loaded({ machine: enforcing, own: '{"mode":"observe"}' }).settings.mode).toBe('observe');
  });

  test('a change of them counts at the next look', () => {
    const folder = emptyFolder();
    const file = opened(folder);
    expect(file.load().settings.mode).toBe(null);
    write(join(folder, 'machine.json'), enforcing);
    expect(file.load().settings.mode).toBe('enforce');
    rmSync(join(folder, 'machine.json'));
    expect(file.load().settings.mode).toBe(null);
  });

  test.each(['{', '[]', '{"mode":"sometimes"}', '{"exemptions":7}'])(
    '%s ends nothing automatically, for no user, and is left as it is',
    (machine) => {
      for (const own of [undefined, '{"mode":"enforce"}']) {
        const { settings, forcesObserve, notices, bad } = loaded({ machine, ...(own === undefined ? {} : { own }) });
        expect({ forcesObserve, bad }).toEqual({ forcesObserve: true, bad: false });
        expect(settings.mode).not.toBe('enforce');
        expect(notices.map(({ text }) => text).join(' ')).toContain('for every user of this machine');
      }
    },
  );

  test('a user’s settings that can’t be read turn the operator’s enforce into observe', () => {
    for (const own of ['{', '[]', '{"exemptions":7}', '{"mode":"x"}'])
      expect(loaded({ machine: enforcing, own })).toMatchObject({ settings: { mode: 'observe' }, forcesObserve: true });
    const folder = emptyFolder();
    write(join(folder, 'machine.json'), enforcing);
    mkdirSync(join(folder, 'settings.json'));
    expect(opened(folder).load()).toMatchObject({ settings: { mode: 'observe' }, forcesObserve: true });
  });

  test.each(['666', '664', '646'])('are not believed where others can write them (mode %s)', (mode) => {
    const folder = emptyFolder();
    write(join(folder, 'machine.json'), enforcing);
    chmodSync(join(folder, 'machine.json'), Number.parseInt(mode, 8));
    const { settings, forcesObserve, notices } = opened(folder).load();
    expect({ mode: settings.mode, forcesObserve }).toEqual({ mode: 'observe', forcesObserve: true });
    expect(notices[0]?.text).toContain('must belong to root');
  });

  test.skipIf(!manyUsers)(`are not believed where they are another user’s${unlessManyUsers}`, () => {
    const folder = emptyFolder();
    write(join(folder, 'machine.json'), enforcing);
    chownSync(join(folder, 'machine.json'), 65_534, 65_534);
    expect(opened(folder).load()).toMatchObject({ settings: { mode: 'observe' }, forcesObserve: true });
  });

  test('a change of the user’s own settings writes none of them', () => {
    const folder = emptyFolder();
    write(join(folder, 'machine.json'), enforcing);
    const file = opened(folder);
    expect(file.change({ historyDays: 7 })).toMatchObject({ ok: true });
    expect(file.load()).toMatchObject({ settings: { mode: 'enforce', historyDays: 7 }, own: { historyDays: 7 } });
    expect(file.load().own).not.toHaveProperty('mode');
  });
});
