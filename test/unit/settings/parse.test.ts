import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../../../app/settings/defaults.ts';
import { parseSettings } from '../../../app/settings/parse.ts';
import type { Settings } from '../../../app/settings/settings.ts';
import { sayNotices } from '../../../app/text/settings/notices.ts';

const said = (raw: unknown): readonly string[] => sayNotices(parseSettings(raw).notices).map(({ text }) => text);
const settingsOf = (raw: unknown, base?: Settings): Settings => parseSettings(raw, base).settings;
const fieldsOf = (raw: unknown): readonly (string | null)[] => parseSettings(raw).notices.map(({ field }) => field);

test('an empty file is the defaults, without a word', () => {
  expect(parseSettings({})).toEqual({ settings: defaultSettings, notices: [], forcesObserve: false, bad: false });
});

test('a zero below zero is zero', () => {
  expect(settingsOf({ orphanGraceSeconds: -0 }).orphanGraceSeconds).toBe(0);
});

test('everything that makes sense is taken', () => {
  const raw = {
    schemaVersion: 1,
    backgroundMaxElapsedSeconds: 900,
    backgroundMaxElapsedSecondsHardCap: 28_800,
    backgroundKillSignal: 'HUP',
    backgroundKillGraceSeconds: 0,
    orphanGraceSeconds: 0,
    noticeSeconds: 30,
    scanIntervalSeconds: 0.5,
    mode: 'enforce',
    atMaxElapsed: 'reap',
    inUseAtHardCap: 'end',
    unreachableAgents: 'end',
    idleAgentDays: 7,
    sessionServers: 'show',
    exemptions: [{ project: '/home/me/shop', note: 'mine', createdAt: '2026-11-20T10:00:00Z' }],
    rules: [{ name: 'our-bot', argv0: 'ourbot', argv: ['--serve'] }],
    hosts: ['build', 'me@build.example.org'],
    historyDays: 365,
    incidentLines: 'journald',
    notifications: { overdue: false, beforeReap: true, afterReap: false, sound: true, digest: false },
    appearance: 'dark',
    language: 'de',
    shortcut: 'Alt+Shift+C',
    guard: {
      enabled: true,
      timeoutSeconds: 600,
      unjoinedLines: 'off',
      noTimeout: 'rewrite',
      neverEnds: 'deny',
      swallowedCommand: 'deny',
      waitsOnInput: 'warn',
      waitsForItself: 'deny',
      killsAgent: 'deny',
      sudoInBackground: 'off',
    },
  };
  expect(parseSettings(raw)).toEqual({ settings: raw, notices: [], forcesObserve: false, bad: false });
});

describe('nonsense in one field costs that field and gets a notice in words', () => {
  test.each([
    ['backgroundMaxElapsedSeconds', '30m', 1800],
    ['backgroundMaxElapsedSeconds', 0, 1800],
    ['backgroundMaxElapsedSeconds', -1, 1800],
    ['backgroundMaxElapsedSeconds', Number.NaN, 1800],
    ['backgroundMaxElapsedSeconds', Number.POSITIVE_INFINITY, 1800],
    ['backgroundMaxElapsedSeconds', 1e12, 1800],
    ['backgroundMaxElapsedSeconds', null, 1800],
    ['backgroundMaxElapsedSeconds', [900], 1800],
    ['backgroundMaxElapsedSeconds', { valueOf: 900 }, 1800],
    ['backgroundMaxElapsedSeconds', true, 1800],
    ['backgroundMaxElapsedSecondsHardCap', 999_999, 14_400],
    ['backgroundMaxElapsedSecondsHardCap', 86_401, 14_400],
    ['backgroundMaxElapsedSecondsHardCap', 59, 14_400],
    ['backgroundKillSignal', 'KILL', 'TERM'],
    ['backgroundKillSignal', 'SIGTERM', 'TERM'],
    ['backgroundKillSignal', 9, 'TERM'],
    ['backgroundKillGraceSeconds', 301, 10],
    ['orphanGraceSeconds', -1, 600],
    ['noticeSeconds', 'soon', 60],
    ['scanIntervalSeconds', 0, 5],
    ['atMaxElapsed', 'never', 'notify'],
    ['historyDays', 0, 90],
    ['appearance', 'pink', 'system'],
    ['hosts', 'build', []],
    ['rules', {}, []],
  ] as const)('%s: %o becomes %o', (key, value, used) => {
    const parsed = parseSettings({ [key]: value, noticeSeconds: key === 'noticeSeconds' ? value : 7 });
    expect(parsed.settings[key]).toEqual(used);
    expect(parsed.bad).toBe(true);
    expect(parsed.notices.map(({ field }) => field)).toEqual([key]);
    expect(sayNotices(parsed.notices)[0]?.text).toMatch(/^\w+ is .+, but it must be .+\. .+\.$/u);
    expect(parsed.settings.noticeSeconds).toBe(key === 'noticeSeconds' ? 60 : 7);
  });

  test('the sentence says what was given, what is allowed and what is used', () => {
    expect(said({ backgroundMaxElapsedSeconds: '30m' })[0]).toBe(
      'backgroundMaxElapsedSeconds is "30m", but it must be a number of seconds from 1 to 86400. Curfew uses 30 min.',
    );
  });

  test('a secret in the wrong place is not said', () => {
    const { notices } = parseSettings({ appearance: 'Authorization: Bearer abcdef1234567890' });
    expect(JSON.stringify([notices, sayNotices(notices)])).not.toContain('abcdef');
  });
});

describe('limits', () => {
  test('a max elapsed beyond the hard cap is the hard cap', () => {
    const parsed = parseSettings({ backgroundMaxElapsedSeconds: 20_000 });
    expect(parsed.settings.backgroundMaxElapsedSeconds).toBe(14_400);
    expect(parsed.notices.map(({ field }) => field)).toEqual(['backgroundMaxElapsedSeconds']);
    expect(parsed.bad).toBe(false);
  });

  test('a hard cap below the default max elapsed takes it along, without a word', () => {
    const parsed = parseSettings({ backgroundMaxElapsedSecondsHardCap: 900 });
    expect(parsed.settings.backgroundMaxElapsedSeconds).toBe(900);
    expect(parsed.notices).toEqual([]);
  });

  test('nonsense falls to the layer below, and never beyond the compiled default', () => {
    const shorter = { ...defaultSettings, backgroundMaxElapsedSeconds: 600, backgroundMaxElapsedSecondsHardCap: 3600 };
    const longer = {
      ...defaultSettings,
      backgroundMaxElapsedSeconds: 7200,
      backgroundMaxElapsedSecondsHardCap: 86_400,
    };
    const nonsense = { backgroundMaxElapsedSeconds: 'x', backgroundMaxElapsedSecondsHardCap: 'x' };
    expect(settingsOf(nonsense, shorter)).toMatchObject({
      backgroundMaxElapsedSeconds: 600,
      backgroundMaxElapsedSecondsHardCap: 3600,
    });
    expect(settingsOf(nonsense, longer)).toMatchObject({
      backgroundMaxElapsedSeconds: 1800,
      backgroundMaxElapsedSecondsHardCap: 14_400,
    });
    expect(settingsOf({}, longer)).toMatchObject({
      backgroundMaxElapsedSeconds: 7200,
      backgroundMaxElapsedSecondsHardCap: 86_400,
    });
  });
});

describe('what may have spared something makes Curfew observe when it can’t be understood', () => {
  const enforce = { mode: 'enforce' };

  test.each([
    ['the mode', { mode: 'Enforce' }],
    ['all exemptions', { ...enforce, exemptions: 'everything' }],
    ['a relative project', { ...enforce, exemptions: [{ project: 'shop' }] }],
    ['a port that is none', { ...enforce, exemptions: [{ port: 70_000 }] }],
    ['an exemption of nothing', { ...enforce, exemptions: [{ note: 'mine' }] }],
    ['an empty command', { ...enforce, exemptions: [{ command: '  ' }] }],
    ['an exemption that only a newer version knows', { ...enforce, exemptions: [{ agent: 'codex' }] }],
    ['something that is no exemption', { ...enforce, exemptions: [{ port: 3000 }, null] }],
    ['a home that isn’t known', { ...enforce, exemptions: [{ project: '~/shop' }] }],
  ])('%s', (_what, raw) => {
    const parsed = parseSettings(raw);
    expect(parsed.settings.mode).toBe('observe');
    expect(parsed.forcesObserve).toBe(true);
    expect(parsed.bad).toBe(true);
    expect(parsed.notices).not.toEqual([]);
  });

  test.each([['text'], [[]], [null], [undefined], [7], [() => 1]])('a whole that is no object: %o', (raw) => {
    const parsed = parseSettings(raw, { ...defaultSettings, mode: 'enforce' });
    expect(parsed.settings.mode).toBe('observe');
    expect(parsed).toMatchObject({ forcesObserve: true, bad: true });
  });

  test('the others stay', () => {
    const { settings } = parseSettings({
      exemptions: [{ port: 3000, createdAt: '2026-11-20T10:00:00Z' }, { port: 'x' }],
    });
    expect(settings.exemptions).toEqual([{ port: 3000, createdAt: '2026-11-20T10:00:00Z' }]);
    expect(settings.mode).toBeNull();
  });

  test.each([
    ['mode not chosen', { mode: null }],
    ['a rule that can’t be compiled', { ...enforce, rules: [{ name: 'x', argv0: 'bot', argv: ['('] }] }],
    ['a rule that would match everything', { ...enforce, rules: [{ name: 'x', argv0: 'node', argv: ['.*'] }] }],
    ['a host that would be an option', { ...enforce, hosts: ['-oProxyCommand=x'] }],
    ['a limit', { ...enforce, backgroundMaxElapsedSeconds: 'x' }],
  ])('not for %s', (_what, raw) => {
    const parsed = parseSettings(raw);
    expect(parsed.forcesObserve).toBe(false);
    expect(parsed.settings.mode).toBe(raw === null || !('mode' in raw) ? null : raw.mode);
    expect([...parsed.settings.rules, ...parsed.settings.hosts]).toEqual([]);
  });
});

describe('exemptions', () => {
  test('the user’s home is filled in', () => {
    const read = (project: string): string | undefined =>
      parseSettings({ exemptions: [{ project }] }, defaultSettings, { home: '/home/me/' }).settings.exemptions[0]
        ?.project;
    expect(read('~/shop')).toBe('/home/me/shop');
    expect(read('~')).toBe('/home/me');
    expect(read('/srv/~/x')).toBe('/srv/~/x');
  });

  test('one written by hand without a time gets one that tells it from its neighbours', () => {
    const times = settingsOf({ exemptions: [{ port: 1 }, { port: 2 }] }).exemptions.map(({ createdAt }) => createdAt);
    expect(new Set(times).size).toBe(2);
  });

  test('parts that are not known make it spare more, never less', () => {
    expect(settingsOf({ exemptions: [{ port: 3000, agent: 'codex' }] }).exemptions[0]).toMatchObject({ port: 3000 });
  });
});

describe('notifications', () => {
  test('field by field', () => {
    expect(settingsOf({ notifications: { sound: true, overdue: 'no' } }).notifications).toEqual({
      ...defaultSettings.notifications,
      sound: true,
    });
    expect(fieldsOf({ notifications: { overdue: 'no' } })).toEqual(['notifications.overdue']);
  });

  test('a block that is none', () => {
    expect(settingsOf({ notifications: 'off' }).notifications).toEqual(defaultSettings.notifications);
    expect(fieldsOf({ notifications: 'off' })).toHaveLength(5);
    expect(settingsOf({ notifications: true }).notifications).toEqual(defaultSettings.notifications);
    expect(settingsOf({ guard: true }).guard.enabled).toBe(false);
  });
});

describe('what isn’t known', () => {
  test('is named, at most twenty times', () => {
    expect(fieldsOf({ exemption: [] })).toEqual(['exemption']);
    expect(parseSettings({ exemption: [] }).bad).toBe(false);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key${index}`, 1]));
    expect(fieldsOf(many)).toHaveLength(20);
  });

  test('in the file of a newer Curfew is said once', () => {
    expect(fieldsOf({ schemaVersion: 2, sandboxes: true, noticeSeconds: 7 })).toEqual(['schemaVersion']);
    expect(settingsOf({ schemaVersion: 2, noticeSeconds: 7 })).toMatchObject({ schemaVersion: 1, noticeSeconds: 7 });
  });

  test('names of every object are no settings', () => {
    const raw = JSON.parse('{"__proto__": {"mode": "enforce"}, "constructor": 1, "toString": 2}') as unknown;
    expect(settingsOf(raw)).toEqual(defaultSettings);
    expect(fieldsOf(raw)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test('inherited settings are none', () => {
    expect(settingsOf(Object.create({ mode: 'enforce', noticeSeconds: 7 }))).toEqual(defaultSettings);
  });
});

test('a rule with a pattern that RE2 can not match is set aside with the reason, and its neighbour stays', () => {
  const good = { name: 'good', argv0: 'bot', argv: ['run'] };
  const { settings, notices } = parseSettings({ rules: [{ name: 'bad', argv0: 'bot', argv: ['(?=a)b'] }, good] });
  expect(settings.rules).toEqual([good]);
  expect(sayNotices(notices).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Entry 1 of rules is set aside\..*look-around/u),
  ]);
});
