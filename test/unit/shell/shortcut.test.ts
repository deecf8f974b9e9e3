import { describe, expect, test } from 'vitest';
import { shortcutKeys } from '../../../app/format/shortcut-keys.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';
import { settingRows } from '../../../app/settings/registry.ts';
import type { ServiceOptions } from '../../../main/interface/curfew-service.ts';
import { app } from '../../desktop/stand-in/fake-app.ts';
import { desktop } from '../../desktop/stand-in/desktop.ts';
import { pass, PlayedService, raise, watching } from './stage.ts';

type Shortcut = Snapshot['settings']['values']['shortcut'];

const withShortcut = (shortcut: Shortcut): Snapshot => ({
  ...watching,
  settings: { ...watching.settings, values: { ...watching.settings.values, shortcut } },
});

const raised = async (shortcut: Shortcut) => {
  const service = new PlayedService(withShortcut(shortcut));
  let given: ServiceOptions | null = null;
  const stage = await raise({
    openService: async (options) => {
      given = options;
      return service;
    },
  });
  const state = () => given?.surface.shortcut();
  const choose = (next: Shortcut): void => {
    service.become({ settings: withShortcut(next).settings });
  };
  return { ...stage, service, state, choose };
};

const keys = 'CommandOrControl+Alt+C';
const others = 'Alt+Shift+J';

describe('the shortcut of the popover', () => {
  test('none is taken unless the user chose one', async () => {
    expect(settingRows.shortcut.default).toBe('off');
    const { state } = await raised('off');
    expect(desktop.shortcuts.size).toBe(0);
    expect(state()).toBe('off');
  });

  test('opens the popover and hides it again', async () => {
    const { state, told } = await raised(keys);
    expect(state()).toBe('on');
    desktop.shortcuts.get(keys)?.();
    await pass();
    expect(told('load').map(({ url }) => url)).toEqual(['app://curfew/index.html#/popover']);
  });

  test('another choice gives up the one before, and off gives up all', async () => {
    const { choose, state } = await raised(keys);
    choose(others);
    expect([...desktop.shortcuts.keys()]).toEqual([others]);
    choose('off');
    expect(desktop.shortcuts.size).toBe(0);
    expect(state()).toBe('off');
  });

  test('one that another program has is told once, and the choice of a free one works', async () => {
    const { choose, state, service, told } = await raised('off');
    desktop.takenShortcuts.add(keys);
    choose(keys);
    expect(state()).toBe('taken');
    service.become({ pausedUntil: 'forever' });
    const notices = told('notification');
    expect(notices).toHaveLength(1);
    expect(notices[0]?.body).toContain('Ctrl+Alt+C can’t open Curfew');
    expect(notices[0]?.body).toContain('Choose another shortcut');
    choose(others);
    expect(state()).toBe('on');
    expect(told('notification')).toHaveLength(1);
  });

  test('it is given up when the app ends', async () => {
    const { service } = await raised(keys);
    app.quit();
    await expect.poll(() => service.stopped).toBe(1);
    expect(desktop.shortcuts.size).toBe(0);
  });

  test('its keys are written as on the machine', () => {
    expect(shortcutKeys('CommandOrControl+Alt+C', false)).toBe('Ctrl+Alt+C');
    expect(shortcutKeys('CommandOrControl+Alt+C', true)).toBe('⌥⌘C');
    expect(shortcutKeys('CommandOrControl+Shift+Y', true)).toBe('⇧⌘Y');
    expect(shortcutKeys('Alt+Shift+J', false)).toBe('Alt+Shift+J');
  });
});
