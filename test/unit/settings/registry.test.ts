import { inEnglish } from '../../../app/text/say.ts';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { settingsStateSchema, settingsView } from '../../../app/contract/views/settings-view.ts';
import { changeSettings } from '../../../app/settings/change.ts';
import { parseClaudeSettings, parseSettings } from '../../../app/settings/parse.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { limitFields, settingKeys, valueAt, type LimitKey } from '../../../app/settings/keys.ts';
import type { settingRows } from '../../../app/settings/registry.ts';
import type { SettingRows } from '../../../app/settings/row.ts';
import type { SettingKey, Settings, SettingsOf } from '../../../app/settings/settings.ts';
import { sayNotices } from '../../../app/text/settings/notices.ts';
import { withSettingsTable } from '../../../build/scripts/settings-table.ts';
import { getSettings, setSetting, unsetSetting } from '../../../main/cli/commands/settings.ts';
import type { Output } from '../../../main/cli/common/output.ts';
import { bashCompletion } from '../../../main/cli/completion/bash.ts';
import { definitionOf } from '../../../main/cli/completion/definition.ts';
import { fishCompletion } from '../../../main/cli/completion/fish.ts';
import { manual } from '../../../main/cli/completion/manual.ts';
import { zshCompletion } from '../../../main/cli/completion/zsh.ts';
import { addSettings } from '../../../main/cli/program/settings.ts';
import { fieldText, readDraft } from '../../../renderer/settings/limits/fields.ts';
import { englishFor } from '../../../renderer/texts/texts-context.ts';

/** Three settings that Curfew does not have. They are added to the registry and to nothing else. */
const { added } = vi.hoisted(() => ({
  added: {
    lullSeconds: {
      kind: 'number',
      unit: 'seconds',
      range: { min: 7, max: 777 },
      default: 77,
      ifBad: 'shorter',
      inClaudeBlock: true,
      field: { label: 'Lull', step: 7 },
      text: 'A setting of this test.',
    },
    'lamp.colour': {
      kind: 'choice',
      choices: ['red', 'green'],
      default: null,
      ifBad: { value: 'green' },
      text: 'Another setting of this test.',
    },
    'notifications.bell': { kind: 'switch', default: true, ifBad: { value: false }, text: 'A third one.' },
  } as const satisfies SettingRows,
}));

vi.mock('../../../app/settings/registry.ts', async (original) => {
  const registry = await original<{ readonly settingRows: SettingRows }>();
  return { ...registry, settingRows: { ...registry.settingRows, ...added } };
});

const lull = 'lullSeconds' as SettingKey & LimitKey;
const colour = 'lamp.colour' as SettingKey;
const bell = 'notifications.bell' as SettingKey;
const names = [lull, colour, bell];

const savedFrom = (raw: unknown): Settings => parseSettings(raw).settings;

test('the type of the settings has a setting as soon as the registry has it', () => {
  type Grown = SettingsOf<typeof settingRows & typeof added>;
  expectTypeOf<Grown['lullSeconds']>().toEqualTypeOf<number>();
  expectTypeOf<Grown['lamp']['colour']>().toEqualTypeOf<'red' | 'green' | null>();
  expectTypeOf<Grown['notifications']['bell']>().toEqualTypeOf<boolean>();
  expectTypeOf<Settings['mode']>().toEqualTypeOf<'enforce' | 'observe' | null>();
  // @ts-expect-error -- the settings of Curfew have no lamp
  expectTypeOf<Settings['lamp']>();
});

describe('a setting that is added to the registry', () => {
  test('has its default', () => {
    expect(names.map((key) => valueAt(defaultSettings, key))).toEqual([77, null, true]);
  });

  test('is read from the file, and its nonsense falls to the side that its row names, with a notice', () => {
    const good = savedFrom({ lullSeconds: 7, lamp: { colour: 'red' }, notifications: { bell: false } });
    expect(names.map((key) => valueAt(good, key))).toEqual([7, 'red', false]);
    expect(good.notifications.overdue).toBe(true);
    const bad = parseSettings({ lullSeconds: 778, lamp: { colour: 'pink' }, notifications: { bell: 'x' } }, good);
    expect(names.map((key) => valueAt(bad.settings, key))).toEqual([7, 'green', false]);
    expect(sayNotices(bad.notices).map(({ field, text }) => ({ field, text }))).toEqual(
      [
        { field: lull, text: 'lullSeconds is 778, but it must be a number of seconds from 7 to 777. Curfew uses 7 s.' },
        { field: colour, text: 'lamp.colour is "pink", but it must be one of red, green. Curfew uses green.' },
        { field: bell, text: 'notifications.bell is "x", but it must be true or false. Curfew uses false.' },
      ].toSorted((one, other) => settingKeys.indexOf(one.field) - settingKeys.indexOf(other.field)),
    );
  });

  test('is read from the block of Claude Code’s settings where its row says so', () => {
    const { settings } = parseClaudeSettings({ bash: { lullSeconds: 8, lamp: { colour: 'red' } } });
    expect([valueAt(settings, lull), valueAt(settings, colour)]).toEqual([8, null]);
  });

  test('can be changed within its range', () => {
    expect(changeSettings({}, { [lull]: 777, [colour]: 'red' })).toEqual({
      ok: true,
      raw: { schemaVersion: 1, lullSeconds: 777, lamp: { colour: 'red' } },
    });
    expect(changeSettings({}, { [lull]: 6 }).ok).toBe(false);
  });

  test('passes through the contract to the windows', () => {
    const values = settingsView(savedFrom({ lullSeconds: 7, lamp: { colour: 'red' } }));
    const state = { values, defaults: settingsView(defaultSettings), notices: [], readAt: null };
    expect(settingsStateSchema.parse(state)).toEqual(state);
    expect(settingsStateSchema.safeParse({ ...state, values: { ...values, lullSeconds: 'x' } }).success).toBe(false);
  });

  test('has a field in the window, with its label, range and step', () => {
    const language = englishFor(['en-GB']);
    const values = settingsView(defaultSettings);
    expect(limitFields.find(({ key }) => key === lull)?.row.field).toEqual({ label: 'Lull', step: 7 });
    expect(language.texts.settings.limits.fields[lull]).toEqual({ label: 'Lull', body: added.lullSeconds.text });
    expect(fieldText(values, lull)).toBe('1 min 17 s');
    expect(readDraft({ [lull]: '1 min' }, values, language)).toEqual({ values: { [lull]: 60 }, problems: {} });
    expect(readDraft({ [lull]: '6 s' }, values, language).problems).toHaveProperty(lull);
  });

  test.each([
    ['bash', bashCompletion],
    ['zsh', zshCompletion],
    ['fish', fishCompletion],
    ['the manual', (program: Parameters<typeof manual>[0]) => manual(program, '1', '2026-11-22')],
  ])('is in %s', (_where, writtenFor) => {
    const program = new Command('curfew');
    addSettings(program, output([]), () => {});
    const text = writtenFor(definitionOf(program));
    for (const key of names) expect(text).toContain(key);
  });

  test('is in the table of docs/settings.md', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/settings.md'), 'utf8');
    expect(withSettingsTable(page)).toContain(
      '| `lullSeconds` | 1 min 17 s | 7 s to 12 min 57 s | A setting of this test. |',
    );
  });
});

const output = (lines: string[]): Output => ({
  colour: false,
  columns: 100,
  isTerminal: false,
  write: (text) => {
    lines.push(text);
    return Promise.resolve();
  },
  warn: (said) => {
    lines.push(inEnglish(said));
  },
});

describe('the command line of a setting that is added to the registry', () => {
  const home = mkdtempSync(join(tmpdir(), 'curfew-registry-'));
  beforeAll(() => {
    vi.stubEnv('CURFEW_HOME', home);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
  const plain = { json: false };

  test('sets, shows and unsets it', async () => {
    const lines: string[] = [];
    await setSetting(lull, '2m', plain, output(lines));
    await getSettings(lull, plain, output(lines));
    await unsetSetting(lull, plain, output(lines));
    expect(lines.filter((line) => !line.startsWith('curfew:'))).toEqual([
      'lullSeconds is 2 min\n',
      '120\n',
      'lullSeconds is 1 min 17 s\n',
    ]);
    const all: string[] = [];
    await getSettings(null, plain, output(all));
    expect(all.join('')).toMatch(/lamp\.colour +not chosen yet[\s\S]*Another setting of this test\./u);
  });

  test('names its range where a value is outside of it', async () => {
    await expect(setSetting(lull, '6s', plain, output([]))).rejects.toThrow(
      'lullSeconds must be a number of seconds from 7 to 777, not "6s"; 90, 90s, 30m and 4h are understood.',
    );
  });

  test('is named where a key is almost its own, or a part of it', async () => {
    for (const typed of ['lullSecond', 'LULLSECONDS', 'lullSecnods', 'ullsec'])
      await expect(setSetting(typed, '90s', plain, output([]))).rejects.toThrow(/; did you mean lullSeconds\?$/u);
    await expect(setSetting('quux', '90s', plain, output([]))).rejects.toThrow(
      /"quux" \(curfew settings get lists all\)$/u,
    );
  });
});
