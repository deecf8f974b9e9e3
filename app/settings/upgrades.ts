import { currentSchemaVersion } from './defaults.ts';
import type { RawObject } from './raw.ts';

/** Turns a file of one version into one of the next. Pure; leaves alone what it doesn't know. */
export type Upgrade = (raw: RawObject) => RawObject;

/** The upgrades from version 1 to 2, from 2 to 3 and so on; the first version needs none. */
const settingsUpgrades: readonly Upgrade[] = [];

/**
 * Returns the version that a file says it has. Without one, or with nonsense, it counts as the
 * first.
 */
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
