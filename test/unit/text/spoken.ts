import { inEnglish } from '../../../app/text/say.ts';

/** Returns a value with the English text of everything in it that is said by key. */
export const spoken = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(spoken);
  if (typeof value !== 'object' || value === null) return value;
  if ('key' in value && 'figures' in value) return inEnglish(value as Parameters<typeof inEnglish>[0]);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spoken(one)]));
};
