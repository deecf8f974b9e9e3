import { isSettingKey, proposalKeys, type SettingKey } from './fields.ts';
import { given } from './reading.ts';
import { asRawObject, type RawObject } from './schema.ts';

/** Where a setting comes from: Curfew's own file, the `bash` block of Claude Code's settings, or nowhere. */
export type SettingSource = 'file' | 'claude' | 'default';

/** Which layer names a setting first. `own` and `claude` are the two files as they are; a value that made no sense counts as named. */
export const sourceOf = (key: SettingKey, own: RawObject, claude: unknown): SettingSource => {
  if (given(own, key) !== undefined) return 'file';
  const block = asRawObject(asRawObject(claude)?.['bash'] ?? null);
  const isProposal = (proposalKeys as readonly SettingKey[]).includes(key);
  return isProposal && block !== null && isSettingKey(key) && Object.hasOwn(block, key) ? 'claude' : 'default';
};
