import { sameValue } from './same-value.ts';

/** An item of a list in a snapshot. Its id is unique within the list. */
export interface Identified {
  readonly id: string;
}

/**
 * Some fields of an item. A present field is never undefined (JSON has no such value); the type is
 * what zod infers.
 */
export type Fields<Item> = { readonly [Key in keyof Item]?: Item[Key] | undefined };

/** Changes in a list of items with ids. */
export interface CollectionDifference<Item extends Identified> {
  /** New items, and items in which a field appeared or disappeared. */
  readonly put: readonly Item[];
  /** Changed fields, by id. */
  readonly changed: readonly { readonly id: string; readonly fields: Fields<Item> }[];
  /** The ids in their new order; absent if neither order nor membership changed. */
  readonly order?: readonly string[] | undefined;
}

const changedFields = <Item extends Identified>(old: Item, next: Item): Partial<Item> | null => {
  const keys = Object.keys(next) as (keyof Item & string)[];
  if (Object.keys(old).length !== keys.length || !keys.every((key) => Object.hasOwn(old, key))) return null;
  const fields: Partial<Item> = {};
  for (const key of keys) if (!sameValue(old[key], next[key])) fields[key] = next[key];
  return fields;
};

/**
 * Returns the difference between two lists; null if they are equal. Ids are unique within a list.
 */
export const collectionDifference = <Item extends Identified>(
  old: readonly Item[],
  next: readonly Item[],
): { put: Item[]; changed: { id: string; fields: Partial<Item> }[]; order?: string[] } | null => {
  const before = new Map(old.map((item) => [item.id, item]));
  const put: Item[] = [];
  const changed: { id: string; fields: Partial<Item> }[] = [];
  for (const item of next) {
    const known = before.get(item.id);
    if (known === item) continue;
    const fields = known === undefined ? null : changedFields(known, item);
    if (fields === null) put.push(item);
    else if (Object.keys(fields).length > 0) changed.push({ id: item.id, fields });
  }
  const reordered = old.length !== next.length || old.some((item, index) => item.id !== next[index]?.id);
  if (put.length === 0 && changed.length === 0 && !reordered) return null;
  return { put, changed, ...(reordered ? { order: next.map((item) => item.id) } : {}) };
};

/**
 * Applies a difference to a list. Unchanged items stay the same objects; without a difference so
 * does the list.
 */
export const applyCollectionDifference = <Item extends Identified>(
  old: Item[],
  difference: CollectionDifference<Item> | undefined,
): Item[] => {
  if (difference === undefined) return old;
  const items = new Map(old.map((item) => [item.id, item]));
  for (const item of difference.put) items.set(item.id, item);
  for (const { id, fields } of difference.changed) {
    const known = items.get(id);
    if (known !== undefined) items.set(id, { ...known, ...fields });
  }
  return (difference.order ?? old.map((item) => item.id)).flatMap((id) => items.get(id) ?? []);
};
