import type { z } from 'zod';
import { currentSchemaVersion, defaultSettings } from './defaults.ts';
import { rowOf, settingKeys, settingsFrom, valueAt, claudeBlockKeys } from './keys.ts';
import { type SettingsNotice, type SettingsProblem, shownValue } from './notice.ts';
import { type RawObject, asRawObject, rawValue } from './raw.ts';
import type { ListRow, SettingRow } from './row.ts';
import { type BadRule, badRulesIn, exemptionSchema, hostNameSchema, settingSchema, userRuleSchema } from './schema.ts';
import type { Exemption, SettingKey, Settings } from './settings.ts';

/** What has been found out while a file is read. */
export interface ParseState {
  readonly raw: RawObject;
  /** The layer below: what holds where the file is silent. */
  readonly fallback: Settings;
  readonly notices: SettingsNotice[];
  forcesObserve: boolean;
  bad: boolean;
}

/** Notes that something makes no sense and is not used. */
const addNotice = (state: ParseState, field: string | null, problem: SettingsProblem): void => {
  state.notices.push({ field, problem });
  state.bad = true;
};

/** Turns a file of one version into one of the next. Pure; leaves alone what it doesn't know. */
export type Upgrade = (raw: RawObject) => RawObject;

/** The upgrades from version 1 to 2, from 2 to 3 and so on; the first version needs none. */
const settingsUpgrades: readonly Upgrade[] = [];

/** Returns the version a file says it has; without a sensible one the first. */
export const schemaVersionOf = (raw: RawObject): number => {
  const version = Object.hasOwn(raw, 'schemaVersion') ? raw['schemaVersion'] : undefined;
  return typeof version === 'number' && Number.isSafeInteger(version) && version >= 1 ? version : 1;
};

/**
 * Brings a file to the current version, step by step. A file of a newer Curfew is left as it is:
 * what is known in it is read, what is not known is kept when it is written again.
 */
export const upgradeSettings = (
  raw: RawObject,
  upgrades: readonly Upgrade[] = settingsUpgrades,
  target: number = currentSchemaVersion,
): RawObject => {
  const from = schemaVersionOf(raw);
  if (from >= target) return raw;
  return {
    ...upgrades.slice(from - 1, target - 1).reduce((left, upgrade) => upgrade(left), raw),
    schemaVersion: target,
  };
};

/** One entry of a list, or why it can't be used. */
type ReadEntry =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reasons: readonly BadRule[] };

const withSchema = (schema: z.ZodType, entry: unknown): ReadEntry => {
  const result = schema.safeParse(entry);
  return result.success ? { ok: true, value: result.data } : { ok: false, reasons: badRulesIn(result.error) };
};

const atHome = (project: string, home: string | null): string | null => {
  if (!project.startsWith('~')) return project;
  return home === null ? null : `${home.replace(/[/\\]+$/u, '')}${project.slice(1)}`;
};

const readExemption = (entry: unknown, index: number, home: string | null): Exemption | null => {
  const result = exemptionSchema().safeParse(entry);
  if (!result.success) return null;
  // Written by hand it may have no time; it still needs something that tells it from its
  // neighbours.
  const { createdAt = new Date(index).toISOString(), project, ...rest } = result.data;
  if (project === undefined) return { ...rest, createdAt };
  const folder = atHome(project, home);
  return folder === null ? null : { ...rest, project: folder, createdAt };
};

const readEntry = (kind: ListRow['kind'], entry: unknown, index: number, home: string | null): ReadEntry => {
  switch (kind) {
    case 'exemptions': {
      const value = readExemption(entry, index, home);
      return value === null ? { ok: false, reasons: [] } : { ok: true, value };
    }
    case 'rules':
      return withSchema(userRuleSchema(), entry);
    case 'hosts':
      return withSchema(hostNameSchema(), entry);
  }
};

/**
 * Reads a list entry by entry: one that makes no sense costs itself and not its neighbours. A host
 * named twice is there once.
 * @param home the user's home folder, for `~/` in exemptions; null: such an exemption makes no
 *   sense
 */
const readList = (state: ParseState, key: SettingKey, row: ListRow, home: string | null): readonly unknown[] => {
  const list = rawValue(state.raw, key);
  if (list === undefined) return valueAt(state.fallback, key) as readonly unknown[];
  const refuse = (field: string, problem: Parameters<typeof addNotice>[2]): void => {
    addNotice(state, field, problem);
    if (row.forcesObserve === true) state.forcesObserve = true;
  };
  if (!Array.isArray(list)) {
    refuse(key, { code: 'bad-list', key, shown: shownValue(list) });
    return [];
  }
  const entries = list.flatMap((entry: unknown, index) => {
    const read = readEntry(row.kind, entry, index, home);
    if (read.ok) return [read.value];
    const { reasons } = read;
    refuse(`${key}[${index}]`, { code: 'bad-entry', key, index, shown: shownValue(entry), reasons });
    return [];
  });
  return row.kind === 'hosts' ? [...new Set(entries)] : entries;
};

export interface ParseOptions {
  /** The user's home, for `~/` in exemptions; null: such a one can't be understood. */
  readonly home?: string | null;
}

/** Settings as far as they could be understood. */
export interface ParsedSettings {
  readonly settings: Settings;
  readonly notices: readonly SettingsNotice[];
  /**
   * True when something was unreadable that would have spared processes (exemptions, the mode, or
   * the whole file). `settings.mode` is then `observe` already, and a mode chosen elsewhere
   * (`watch --enforce`) must not override it.
   */
  readonly forcesObserve: boolean;
  /** True when nonsense was left unused, so that the file as it was is worth keeping. */
  readonly bad: boolean;
}

type SingleRow = Exclude<SettingRow, ListRow>;

/** Unknown keys are named in a notice each, but at most this many. */
const maxUnknownKeys = 20;

/** What is used for a value that makes no sense. */
const replacement = (row: SingleRow, fallback: unknown): unknown => {
  if (row.ifBad === 'fallback') return fallback;
  return row.ifBad === 'shorter' ? Math.min(Number(fallback), Number(row.default)) : row.ifBad.value;
};

/** One setting: the file's, else the layer's below, or what its row says of nonsense. */
const readSingle = (state: ParseState, key: SettingKey, row: SingleRow): unknown => {
  const value = rawValue(state.raw, key);
  const fallback = valueAt(state.fallback, key);
  if (value === undefined) return fallback;
  if (value === null && row.default === null) return null;
  const result = settingSchema(key).safeParse(value);
  // JSON knows a zero below zero, which is written as a zero again.
  if (result.success) return typeof result.data === 'number' ? result.data + 0 : result.data;
  const used = replacement(row, fallback);
  addNotice(state, key, { code: 'bad-value', key, shown: shownValue(value), used });
  if (row.forcesObserve === true) state.forcesObserve = true;
  return used;
};

/** Holds max elapsed to the hard cap, with a notice only where the file asks for more. */
const clampMaxElapsed = (state: ParseState, settings: Settings): Settings => {
  const { backgroundMaxElapsedSeconds: maxElapsedSeconds, backgroundMaxElapsedSecondsHardCap: hardCapSeconds } =
    settings;
  if (maxElapsedSeconds <= hardCapSeconds) return settings;
  if (rawValue(state.raw, 'backgroundMaxElapsedSeconds') === maxElapsedSeconds) {
    const problem = { code: 'clamped', maxElapsedSeconds, hardCapSeconds } as const;
    // The value alone makes sense, so the file is not bad.
    state.notices.push({ field: 'backgroundMaxElapsedSeconds', problem });
  }
  return { ...settings, backgroundMaxElapsedSeconds: hardCapSeconds };
};

const noticeUnknown = (state: ParseState): void => {
  const version = schemaVersionOf(state.raw);
  if (version > currentSchemaVersion) {
    state.notices.push({ field: 'schemaVersion', problem: { code: 'newer-version', version } });
    return;
  }
  const known = new Set(['schemaVersion', ...settingKeys.map((key) => key.split('.')[0])]);
  const unknown = Object.keys(state.raw).filter((key) => !known.has(key));
  for (const key of unknown.slice(0, maxUnknownKeys)) {
    state.notices.push({ field: key, problem: { code: 'unknown-key', shown: shownValue(key) } });
  }
};

/**
 * Reads settings out of whatever a file held, over the layer below (`fallback`). Pure and total.
 * Promises: every field makes sense; the layer below stands wherever the file is silent; nonsense
 * makes no limit longer, never turns observing into enforcing, and where it may have spared
 * something (the mode, exemptions, all of the file) nothing is ended automatically until it is put
 * right (`forcesObserve`). Parsing what came out again gives the same settings.
 */
export const parseSettings = (
  file: unknown,
  fallback: Settings = defaultSettings,
  { home = null }: ParseOptions = {},
): ParsedSettings => {
  const object = asRawObject(file);
  const raw = upgradeSettings(object ?? {});
  const state: ParseState = { raw, fallback, notices: [], forcesObserve: object === null, bad: false };
  if (object === null) addNotice(state, null, { code: 'no-object', shown: shownValue(file) });
  noticeUnknown(state);
  const read = settingsFrom(currentSchemaVersion, (key) => {
    const row = rowOf(key);
    return row.ifBad === 'without-entry' ? readList(state, key, row, home) : readSingle(state, key, row);
  });
  const settings = clampMaxElapsed(state, read);
  const { notices, forcesObserve, bad } = state;
  return {
    settings: forcesObserve && settings.mode === 'enforce' ? { ...settings, mode: 'observe' } : settings,
    notices,
    forcesObserve,
    bad,
  };
};

const blockOf = (settings: unknown): unknown => {
  const object = asRawObject(settings);
  return object !== null && Object.hasOwn(object, 'bash') ? object['bash'] : undefined;
};

/**
 * Reads the layer between the compiled defaults and Curfew's own file: the keys of the original
 * proposal in the `bash` block of the user's `~/.claude/settings.json`, checked like Curfew's own.
 * Nothing else of that file is looked at, and nothing in it can force anything: where it makes no
 * sense the layer below stands, with a notice.
 */
export const parseClaudeSettings = (claudeSettings: unknown, below: Settings = defaultSettings): ParsedSettings => {
  const block = blockOf(claudeSettings);
  if (block === undefined) return { settings: below, notices: [], forcesObserve: false, bad: false };
  const object = asRawObject(block);
  if (object === null) {
    const problem = { code: 'claude-block-no-object', shown: shownValue(block) } as const;
    return { settings: below, notices: [{ field: 'bash', problem }], forcesObserve: false, bad: true };
  }
  const own = claudeBlockKeys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]] as const);
  const { settings, notices, bad } = parseSettings(Object.fromEntries(own), below);
  return {
    settings,
    notices: notices.map(({ field, problem }) => ({
      field: `bash.${String(field)}`,
      problem: { code: 'in-claude-block', problem },
    })),
    forcesObserve: false,
    bad,
  };
};
