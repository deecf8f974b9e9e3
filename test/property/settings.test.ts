import { inEnglish } from '../../app/text/say.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeSettings } from '../../app/settings/change.ts';
import { parseClaudeSettings, parseSettings } from '../../app/settings/parse.ts';
import { defaultSettings } from '../../app/settings/defaults.ts';
import { durationText, maxDurationSeconds, parseDuration, parseWrittenDuration } from '../../app/settings/duration.ts';
import { readSettingText } from '../../app/settings/input.ts';
import { isSettingKey, settingKeys, valueAt } from '../../app/settings/keys.ts';
import { hardCapCeilingSeconds } from '../../app/settings/registry.ts';
import { settingSchema } from '../../app/settings/schema.ts';
import { sayNotices, saySettingsProblem } from '../../app/text/settings/notices.ts';
import { settings } from './arbitraries.ts';

const runs = { numRuns: 1000 };

/** The age limits. */
const limitKeys = ['backgroundMaxElapsedSeconds', 'backgroundMaxElapsedSecondsHardCap', 'orphanGraceSeconds'] as const;

/** What may stand in a file: JSON of any form, and now and then what only looks like a setting. */
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    0,
    -1,
    1,
    59,
    60,
    1e9,
    Number.MAX_SAFE_INTEGER,
    '30m',
    'enforce',
    'Enforce',
    'observe',
    'KILL',
    true,
    null,
    [],
    {},
  ),
);
const exemptionLike = fc.array(
  fc.oneof(
    json,
    fc.record({ project: json }),
    fc.record({ port: json }),
    fc.record({ command: fc.string(), note: json }),
  ),
  { maxLength: 3 },
);
const topKeys = [...new Set(settingKeys.map((key) => key.split('.')[0] ?? '')), 'schemaVersion'];
/** A file: any settings with anything in them, and anything else. */
const file = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...topKeys), json),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString')), json, { maxKeys: 2 }),
    fc.option(exemptionLike),
    fc.option(fc.dictionary(fc.constantFrom('overdue', 'sound', 'other'), json)),
  )
  .map(([known, unknown, exemptions, notifications]) => ({
    ...unknown,
    ...known,
    ...(exemptions === null ? {} : { exemptions }),
    ...(notifications === null ? {} : { notifications }),
  }));
const anything = fc.oneof(
  file,
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
);
const parsed = (raw: unknown, base = defaultSettings) => parseSettings(raw, base, { home: '/home/me' });

describe('parsing', () => {
  test('always gives settings in which every field makes sense', () => {
    fc.assert(
      fc.property(anything, (raw) => {
        const { settings: all, notices } = parsed(raw);
        for (const key of settingKeys) {
          const value = valueAt(all, key);
          expect(value === null || settingSchema(key).safeParse(value).success).toBe(true);
        }
        expect(all.backgroundMaxElapsedSeconds).toBeLessThanOrEqual(all.backgroundMaxElapsedSecondsHardCap);
        expect(all.backgroundMaxElapsedSecondsHardCap).toBeLessThanOrEqual(hardCapCeilingSeconds);
        for (const { text } of sayNotices(notices)) expect(text).toMatch(/[.]$/u);
      }),
      runs,
    );
  });

  test('is idempotent, also through JSON', () => {
    fc.assert(
      fc.property(anything, settings, (raw, base) => {
        const once = parsed(raw, base).settings;
        const again = parsed(JSON.parse(JSON.stringify(once)), base);
        expect(again).toEqual({ settings: once, notices: [], forcesObserve: false, bad: false });
      }),
      runs,
    );
  });

  test('gives back what makes sense', () => {
    fc.assert(
      fc.property(settings, (all) => {
        expect(parsed(JSON.parse(JSON.stringify(all)))).toEqual({
          settings: all,
          notices: [],
          forcesObserve: false,
          bad: false,
        });
      }),
      runs,
    );
  });
});

describe('nonsense', () => {
  test('never lengthens a limit: not beyond what holds without that field, nor beyond the compiled default', () => {
    fc.assert(
      fc.property(file, settings, fc.constantFrom(...limitKeys), json, (raw, base, key, value) => {
        fc.pre(!settingSchema(key).safeParse(value).success);
        const without = Object.fromEntries(Object.entries(raw).filter(([name]) => name !== key));
        const spoilt = parsed({ ...without, [key]: value }, base).settings;
        const silent = parsed(without, base).settings;
        expect(spoilt[key]).toBeLessThanOrEqual(defaultSettings[key]);
        for (const limit of limitKeys) expect(spoilt[limit]).toBeLessThanOrEqual(silent[limit]);
      }),
      runs,
    );
  });

  test('never turns observing into enforcing: that takes the very word', () => {
    fc.assert(
      fc.property(anything, settings, (raw, base) => {
        const { settings: all, forcesObserve } = parsed(raw, base);
        fc.pre(all.mode === 'enforce');
        const own =
          typeof raw === 'object' && raw !== null && Object.hasOwn(raw, 'mode')
            ? (raw as { mode: unknown }).mode
            : base.mode;
        expect(own).toBe('enforce');
        expect(forcesObserve).toBe(false);
      }),
      runs,
    );
  });

  test('among exemptions never costs one in silence', () => {
    fc.assert(
      fc.property(exemptionLike, (exemptions) => {
        const { settings: all, forcesObserve } = parsed({ mode: 'enforce', exemptions });
        expect(forcesObserve).toBe(all.exemptions.length < exemptions.length);
        expect(all.mode).toBe(forcesObserve ? 'observe' : 'enforce');
      }),
      runs,
    );
  });

  test('in Claude Code’s settings touches nothing but the four keys, and no limit beyond its ceiling', () => {
    fc.assert(
      fc.property(anything, (bash) => {
        const { settings: all, forcesObserve } = parseClaudeSettings({ bash });
        const {
          backgroundMaxElapsedSeconds,
          backgroundMaxElapsedSecondsHardCap,
          backgroundKillSignal,
          backgroundKillGraceSeconds,
        } = all;
        expect(all).toEqual({
          ...defaultSettings,
          backgroundMaxElapsedSeconds,
          backgroundMaxElapsedSecondsHardCap,
          backgroundKillSignal,
          backgroundKillGraceSeconds,
        });
        expect(forcesObserve).toBe(false);
      }),
      runs,
    );
  });
});

describe('changes', () => {
  const change = fc.dictionary(fc.oneof(fc.constantFrom(...settingKeys), fc.string()), json, { maxKeys: 3 });

  test('never throw, are all or none, and lose nothing that they don’t name', () => {
    fc.assert(
      fc.property(file, change, (raw, changes) => {
        const result = changeSettings(raw, changes);
        fc.pre(result.ok);
        expect(Object.keys(changes).filter((key) => !isSettingKey(key))).toEqual([]);
        const touched = new Set([...Object.keys(changes).map((key) => key.split('.')[0]), 'schemaVersion']);
        const rest = (object: object): unknown => Object.entries(object).filter(([key]) => !touched.has(key));
        expect(rest(result.ok ? result.raw : {})).toEqual(rest(raw));
      }),
      { ...runs, maxSkipsPerRun: 1000 },
    );
  });

  test('what was changed holds', () => {
    fc.assert(
      fc.property(
        settings,
        fc.constantFrom('noticeSeconds' as const, 'orphanGraceSeconds' as const, 'appearance' as const),
        (all, key) => {
          const result = changeSettings({}, { [key]: all[key] });
          expect(result.ok && parsed(result.raw).settings[key]).toBe(all[key]);
        },
      ),
      runs,
    );
  });
});

describe('what the user types', () => {
  test('never throws, and only what the schema allows comes out', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...settingKeys),
        fc.oneof(
          fc.string(),
          json.map((value) => JSON.stringify(value) ?? ''),
        ),
        (key, text) => {
          const result = readSettingText(key, text);
          expect(
            result.ok
              ? settingSchema(key).safeParse(result.value).success
              : inEnglish(saySettingsProblem(result.problem)).startsWith(key),
          ).toBe(true);
        },
      ),
      runs,
    );
  });

  test('durations survive formatting and parsing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 0, max: maxDurationSeconds }),
          fc.integer({ min: 0, max: 90_000 }),
          fc.double({ min: 1e-6, max: 90_000, noNaN: true }),
        ),
        (seconds) => {
          expect(parseWrittenDuration(durationText(seconds))).toEqual({ ok: true, seconds });
        },
      ),
      runs,
    );
  });

  test('a duration that the command line takes, a window takes as the same', () => {
    const text = fc.tuple(fc.nat(), fc.constantFrom('', 's', 'm', 'h', 'd')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (some) => {
        expect(parseWrittenDuration(some)).toEqual(parseDuration(some));
      }),
      runs,
    );
  });

  test('what is understood as a duration is digits and one unit', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('1', '0', 's', 'm', 'h', 'd', ' ', '.', '-') }),
    );
    fc.assert(
      fc.property(text, (some) => {
        expect(parseDuration(some).ok).toBe(
          /^[0-9]+[smhd]?$/u.test(some) && Number.parseInt(some, 10) <= maxDurationSeconds && parseDuration(some).ok,
        );
      }),
      runs,
    );
  });
});
