import { claudeBlockKeys } from './keys.ts';
import { asRawObject, rawValue, type RawObject } from './raw.ts';
import type { SettingKey } from './settings.ts';

/**
 * Where a setting comes from: Curfew's own file, the `bash` block of Claude Code's settings, or
 * nowhere.
 */
export type SettingSource = 'file' | 'claude' | 'default';

/**
 * Returns which layer names a setting first. `own` and `claude` are the two files as they are; a
 * value that made no sense counts as named.
 */
export const sourceOf = (key: SettingKey, own: RawObject, claude: unknown): SettingSource => {
  if (rawValue(own, key) !== undefined) return 'file';
  const block = asRawObject(asRawObject(claude)?.['bash'] ?? null);
  return block !== null && claudeBlockKeys.includes(key) && Object.hasOwn(block, key) ? 'claude' : 'default';
};
