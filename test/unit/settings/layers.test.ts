import { inEnglish } from '../../../app/text/say.ts';
import { spoken } from '../text/spoken.ts';
import { describe, expect, test } from 'vitest';
import { changeSettings } from '../../../app/settings/change.ts';
import { parseClaudeSettings, parseSettings, schemaVersionOf, upgradeSettings } from '../../../app/settings/parse.ts';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { readSettingText } from '../../../app/settings/input.ts';
import { rowOf, settingKeys, valueAt } from '../../../app/settings/keys.ts';
import { shownValue } from '../../../app/settings/notice.ts';
import { sayNotices, saySettingsProblem } from '../../../app/text/settings/notices.ts';
import { settingExpectation, settingValue } from '../../../app/text/settings/values.ts';

describe('the bash block of Claude Code’s settings', () => {
  test('its four keys stand between the defaults and Curfew’s own file', () => {
    const claude = {
      model: 'x',
      bash: { backgroundMaxElapsedSeconds: 600, backgroundKillSignal: 'INT', orphanGraceSeconds: 1, mode: 'enforce' },
    };
    const { settings, notices } = parseClaudeSettings(claude);
    expect(settings).toEqual({ ...defaultSettings, backgroundMaxElapsedSeconds: 600, backgroundKillSignal: 'INT' });
    expect(notices).toEqual([]);
    expect(parseSettings({ backgroundKillSignal: 'HUP' }, settings).settings).toMatchObject({
      backgroundMaxElapsedSeconds: 600,
      backgroundKillSignal: 'HUP',
    });
  });

  test('is checked like Curfew’s own, and forces nothing', () => {
    const parsed = parseClaudeSettings({
      bash: { backgroundMaxElapsedSecondsHardCap: 1e9, backgroundKillGraceSeconds: 5 },
    });
    expect(parsed.settings).toEqual({ ...defaultSettings, backgroundKillGraceSeconds: 5 });
    expect(sayNotices(parsed.notices).map(({ field, text }) => ({ field, text }))).toEqual([
      {
        field: 'bash.backgroundMaxElapsedSecondsHardCap',
        text: expect.stringMatching(
          /^In Claude Code’s settings, bash\.backgroundMaxElapsedSecondsHardCap is 1000000000, /u,
        ) as string,
      },
    ]);
    expect(parsed.forcesObserve).toBe(false);
  });

  test.each([[{}], [{ bash: {} }], [null], ['x'], [[]], [undefined]])('nothing there: %o', (raw) => {
    expect(parseClaudeSettings(raw)).toEqual({
      settings: defaultSettings,
      notices: [],
      forcesObserve: false,
      bad: false,
    });
  });

  test('a block that is none is passed over, with a notice', () => {
    const parsed = parseClaudeSettings({ bash: '/bin/zsh' });
    expect(parsed.settings).toEqual(defaultSettings);
    expect(parsed.notices).toHaveLength(1);
  });
});

describe('changes', () => {
  const changed = (raw: Record<string, unknown>, changes: Record<string, unknown>): unknown => {
    const result = changeSettings(raw, changes);
    return result.ok ? result.raw : sayNotices(result.problems).map(({ text }) => text);
  };

  test('leave everything else as it is, also what isn’t known or was wrong', () => {
    const raw = { schemaVersion: 3, sandboxes: true, noticeSeconds: 'x', notifications: { colour: 1 } };
    expect(changed(raw, { mode: 'observe', 'notifications.sound': true })).toEqual({
      ...raw,
      mode: 'observe',
      notifications: { colour: 1, sound: true },
    });
  });

  test('null takes a setting out', () => {
    const raw = { schemaVersion: 1, mode: 'enforce', notifications: { sound: true } };
    expect(changed(raw, { mode: null, 'notifications.sound': null })).toEqual({ schemaVersion: 1 });
  });

  test('a block that was none becomes one', () => {
    expect(changed({ notifications: 'off' }, { 'notifications.sound': false })).toEqual({
      schemaVersion: 1,
      notifications: { sound: false },
    });
  });

  test('are all refused when one is', () => {
    expect(changed({}, { mode: 'enforce', noticeSeconds: -1, nonsense: 1 })).toEqual([
      'noticeSeconds must be a number of seconds from 0 to 3600, not -1.',
      expect.stringMatching(/^There is no setting "nonsense"\. There are: mode, /u) as string,
    ]);
  });

  test.each(['__proto__', 'constructor', 'notifications', 'notifications.colour', 'schemaVersion', ''])(
    '“%s” is no setting',
    (key) => {
      const result = changeSettings({}, Object.fromEntries([[key, 1]]));
      expect(result.ok).toBe(false);
    },
  );

  test('a key of every object stays a key', () => {
    const raw = JSON.parse('{"__proto__": 1}') as Record<string, unknown>;
    expect(JSON.stringify(changed(raw, { noticeSeconds: 5 }))).toBe(
      '{"__proto__":1,"noticeSeconds":5,"schemaVersion":1}',
    );
  });

  test('a max elapsed must fit below the hard cap, whichever is changed', () => {
    expect(changed({}, { backgroundMaxElapsedSeconds: 20_000 })).toEqual([
      'backgroundMaxElapsedSeconds (5 h 33 min 20 s) must not be longer than backgroundMaxElapsedSecondsHardCap (4 h).',
    ]);
    expect(changeSettings({ backgroundMaxElapsedSeconds: 900 }, { backgroundMaxElapsedSecondsHardCap: 600 }).ok).toBe(
      false,
    );
    expect(changeSettings({}, { backgroundMaxElapsedSecondsHardCap: 600 }).ok).toBe(true);
    expect(
      changeSettings({}, { backgroundMaxElapsedSeconds: 20_000, backgroundMaxElapsedSecondsHardCap: 28_800 }).ok,
    ).toBe(true);
    expect(changeSettings({ backgroundMaxElapsedSeconds: 20_000 }, { noticeSeconds: 5 }).ok).toBe(true);
  });

  test('what can be changed can be read again', () => {
    const result = changeSettings({}, { exemptions: [{ port: 3000 }], hosts: ['a'], historyDays: 7 });
    expect(result.ok && parseSettings(result.raw).notices).toEqual([]);
  });
});

describe('what the user types', () => {
  test.each([
    ['backgroundMaxElapsedSeconds', '30m', 1800],
    ['backgroundMaxElapsedSeconds', '90', 90],
    ['scanIntervalSeconds', '0.5', 0.5],
    ['mode', 'enforce', 'enforce'],
    ['historyDays', '90d', 90],
    ['historyDays', '30', 30],
    ['notifications.sound', 'on', true],
    ['notifications.sound', 'false', false],
    ['hosts', 'build, me@other  third', ['build', 'me@other', 'third']],
    ['hosts', '["build"]', ['build']],
    ['hosts', '', []],
    ['exemptions', '[{"port":3000}]', [{ port: 3000 }]],
  ] as const)('%s %s', (key, text, value) => {
    expect(readSettingText(key, text)).toEqual({ ok: true, value });
  });

  test.each([
    ['backgroundMaxElapsedSeconds', '1.5h'],
    ['backgroundMaxElapsedSeconds', '0'],
    ['backgroundMaxElapsedSeconds', '2d'],
    ['mode', 'Enforce'],
    ['mode', 'null'],
    ['historyDays', '2h'],
    ['notifications.sound', 'maybe'],
    ['hosts', '-oProxyCommand=x'],
    ['exemptions', 'port 3000'],
    ['rules', '[{}]'],
  ] as const)('%s %s is refused, and says what is allowed', (key, text) => {
    const result = readSettingText(key, text);
    expect(spoken(result.ok ? null : saySettingsProblem(result.problem))).toContain(inEnglish(settingExpectation(key)));
  });

  test('every default can be typed', () => {
    for (const key of settingKeys) {
      const value = valueAt(defaultSettings, key) ?? 'observe';
      expect(readSettingText(key, typeof value === 'string' ? value : JSON.stringify(value))).toEqual({
        ok: true,
        value,
      });
    }
  });
});

test('every setting has a sentence, an expectation and a default within its range', () => {
  for (const key of settingKeys) {
    expect(rowOf(key).text).toMatch(/^[A-Z].+\.$/u);
    expect(settingExpectation(key)).not.toBe('');
  }
});

test('every default is a value that can be set, but for the mode, which is to be chosen', () => {
  for (const key of settingKeys) {
    const value = valueAt(defaultSettings, key);
    expect(value === null ? key : changeSettings({}, { [key]: value }).ok).toBe(value === null ? 'mode' : true);
  }
});

test('values in words', () => {
  expect(settingValue('backgroundMaxElapsedSeconds', 5400)).toBe('1 h 30 min');
  expect(settingValue('historyDays', 90)).toBe('90 d');
  expect(settingValue('mode', 'observe')).toBe('observe');
  expect(settingValue('hosts', ['a'])).toBe('["a"]');
  expect(shownValue('a\nb')).toBe(String.raw`"a\nb"`);
  expect(shownValue('x'.repeat(500))).toHaveLength(80);
  expect(shownValue(1n)).toBe('bigint');
  expect(shownValue(undefined)).toBe('undefined');
});

describe('upgrades', () => {
  const steps = [(raw: object) => ({ ...raw, first: true }), (raw: object) => ({ ...raw, second: 'first' in raw })];

  test.each([
    [{}, { first: true, second: true, schemaVersion: 3 }],
    [{ schemaVersion: 1 }, { first: true, second: true, schemaVersion: 3 }],
    [{ schemaVersion: 2 }, { second: false, schemaVersion: 3 }],
    [{ schemaVersion: 3 }, { schemaVersion: 3 }],
    [{ schemaVersion: 4 }, { schemaVersion: 4 }],
  ])('%o becomes %o', (raw, expected) => {
    expect(upgradeSettings(raw, steps, 3)).toEqual(expected);
  });

  test.each([[0], [-1], [1.5], ['2'], [null], [Number.NaN]])(
    'a version that is none (%o) is the first',
    (schemaVersion) => {
      expect(schemaVersionOf({ schemaVersion })).toBe(1);
    },
  );
});
