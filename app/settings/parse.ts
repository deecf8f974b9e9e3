import type { BoundingMode, GuardMode, GuardRuleId } from '../guard/settings.ts';
import { formatLimit } from '../format/age.ts';
import { shownValue } from './sentences.ts';
import { currentSchemaVersion, defaultSettings } from './defaults.ts';
import { settingKeys } from './fields.ts';
import { observing, readExemptions, readHosts, readRules } from './lists.ts';
import { given, readNumber, readValue, refuse, type Reading } from './reading.ts';
import { asRawObject } from './schema.ts';
import type { ParsedSettings, Settings } from './settings.ts';
import { schemaVersionOf, upgradeSettings } from './upgrades.ts';

/** What parsing needs besides the file. */
export interface ParseOptions {
  /** The person's home folder, for `~/` in exemptions; null: such an exemption can't be understood. */
  readonly home?: string | null;
}

const readMode = (reading: Reading): Settings['mode'] => {
  if (given(reading.raw, 'mode') === null) return null;
  const before = reading.notices.length;
  const mode = readValue<'mode', Settings['mode']>(reading, 'mode', reading.base.mode, 'observe');
  if (reading.notices.length > before) reading.forcesObserve = true;
  return mode;
};

/** A max elapsed beyond the hard cap is the hard cap. Told only where the file itself asks for it. */
const clampMaxElapsed = (reading: Reading, maxElapsed: number, hardCap: number): number => {
  if (maxElapsed <= hardCap) return maxElapsed;
  if (given(reading.raw, 'backgroundMaxElapsedSeconds') === maxElapsed) {
    reading.notices.push({
      field: 'backgroundMaxElapsedSeconds',
      text:
        `backgroundMaxElapsedSeconds is ${formatLimit(maxElapsed)}, beyond the hard cap of ${formatLimit(hardCap)}. ` +
        `Curfew uses the hard cap; raise backgroundMaxElapsedSecondsHardCap if you want more.`,
    });
  }
  return hardCap;
};

/** The guard: what makes no sense in it is off, and keeps no command from running. */
const readGuard = (reading: Reading): Settings['guard'] => {
  const { guard: below } = reading.base;
  const bounding = (key: 'guard.noTimeout' | 'guard.neverEnds', mode: BoundingMode): BoundingMode =>
    readValue<typeof key, BoundingMode>(reading, key, mode, 'off');
  const mode = (rule: Exclude<GuardRuleId, 'noTimeout' | 'neverEnds'>): GuardMode =>
    readValue<`guard.${typeof rule}`, GuardMode>(reading, `guard.${rule}`, below[rule], 'off');
  return {
    enabled: readValue(reading, 'guard.enabled', below.enabled, false),
    timeoutSeconds: readValue(reading, 'guard.timeoutSeconds', below.timeoutSeconds),
    unjoinedLines: mode('unjoinedLines'),
    noTimeout: bounding('guard.noTimeout', below.noTimeout),
    neverEnds: bounding('guard.neverEnds', below.neverEnds),
    swallowedCommand: mode('swallowedCommand'),
    waitsOnInput: mode('waitsOnInput'),
    waitsForItself: mode('waitsForItself'),
    killsAgent: mode('killsAgent'),
    sudoInBackground: mode('sudoInBackground'),
  };
};

const noticeUnknown = (reading: Reading): void => {
  const version = schemaVersionOf(reading.raw);
  if (version > currentSchemaVersion) {
    reading.notices.push({
      field: 'schemaVersion',
      text: `These settings were written by a newer Curfew (version ${version}). What this one doesn't know is kept and not used.`,
    });
    return;
  }
  const known = new Set(['schemaVersion', ...settingKeys.map((key) => key.split('.')[0])]);
  const unknown = Object.keys(reading.raw).filter((key) => !known.has(key));
  for (const key of unknown.slice(0, 20)) {
    reading.notices.push({
      field: key,
      text: `${shownValue(key)} is no setting that Curfew knows. It is kept and not used.`,
    });
  }
};

/**
 * Settings out of whatever a file held, over the layer below (`base`). Pure and total. Promises: every field makes sense; the layer
 * below stands wherever the file is silent; nonsense makes no limit longer, never turns observing into enforcing, and where it may have
 * spared something (the mode, exemptions, all of the file) nothing is ended by itself until it is put right (`forcesObserve`).
 * Parsing what came out again gives the same settings.
 */
export const parseSettings = (
  file: unknown,
  base: Settings = defaultSettings,
  { home = null }: ParseOptions = {},
): ParsedSettings => {
  const object = asRawObject(file);
  const raw = upgradeSettings(object ?? {});
  const reading: Reading = { raw, base, notices: [], forcesObserve: object === null, bad: false };
  if (object === null) {
    refuse(reading, null, `The settings are ${shownValue(file)}, which is no object of settings. ${observing}`);
  }
  noticeUnknown(reading);
  const hardCap = readNumber(reading, 'backgroundMaxElapsedSecondsHardCap');
  const mode = readMode(reading);
  const settings: Settings = {
    schemaVersion: currentSchemaVersion,
    backgroundMaxElapsedSeconds: clampMaxElapsed(reading, readNumber(reading, 'backgroundMaxElapsedSeconds'), hardCap),
    backgroundMaxElapsedSecondsHardCap: hardCap,
    backgroundKillSignal: readValue(reading, 'backgroundKillSignal', base.backgroundKillSignal),
    backgroundKillGraceSeconds: readNumber(reading, 'backgroundKillGraceSeconds'),
    orphanGraceSeconds: readNumber(reading, 'orphanGraceSeconds'),
    noticeSeconds: readNumber(reading, 'noticeSeconds'),
    scanIntervalSeconds: readNumber(reading, 'scanIntervalSeconds'),
    mode,
    // Of the three this ends the least.
    atMaxElapsed: readValue(reading, 'atMaxElapsed', base.atMaxElapsed, 'notify' as const),
    exemptions: readExemptions(reading, home),
    rules: readRules(reading),
    hosts: readHosts(reading),
    historyDays: readNumber(reading, 'historyDays'),
    notifications: {
      overdue: readValue(reading, 'notifications.overdue', base.notifications.overdue),
      beforeReap: readValue(reading, 'notifications.beforeReap', base.notifications.beforeReap),
      afterReap: readValue(reading, 'notifications.afterReap', base.notifications.afterReap),
      sound: readValue(reading, 'notifications.sound', base.notifications.sound),
    },
    appearance: readValue(reading, 'appearance', base.appearance),
    guard: readGuard(reading),
  };
  const { notices, forcesObserve, bad } = reading;
  return {
    settings: forcesObserve && mode === 'enforce' ? { ...settings, mode: 'observe' } : settings,
    notices,
    forcesObserve,
    bad,
  };
};
