import { partsOf } from './keys.ts';
import type { SettingKey } from './settings.ts';

/** A JSON object as a file or a window gives it. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Returns it if it is an object, not a list, else null. Uncopied: `__proto__` stays a key. */
export const asRawObject = (value: unknown): RawObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawObject) : null;

/**
 * Returns what stands under a key of the file; undefined where nothing does. Only the object's own
 * keys count, so `__proto__` in a file is a key like others.
 */
export const rawValue = (raw: RawObject, key: SettingKey): unknown => {
  const { block, name } = partsOf(key);
  const first = block ?? name;
  const value = Object.hasOwn(raw, first) ? raw[first] : undefined;
  if (block === null || value === undefined) return value;
  const object = asRawObject(value);
  // A non-object block invalidates all its settings: return a value that no schema accepts.
  // `"guard": true` must switch nothing on.
  if (object === null) return { [first]: value };
  return Object.hasOwn(object, name) ? object[name] : undefined;
};
