import { sameValue } from './same-value.ts';

/** Whatever a snapshot holds many of: it has an id that is unique among its kind. */
export interface Identified {
  readonly id: string;
}

/** Some fields of an item. A field that is there is never undefined (JSON has no such value); the type is what zod infers. */
export type Fields<Item> = { readonly [Key in keyof Item]?: Item[Key] | undefined };

/** What changed in a list of things with ids. */
export interface CollectionDifference<Item extends Identified> {
  /** New ones, and ones in which a field came or went. */
  readonly put: readonly Item[];
  /** Fields that changed, by id. */
  readonly changed: readonly { readonly id: string; readonly fields: Fields<Item> }[];
  /** The ids in their new order; absent when neither order nor membership changed. */
  readonly order?: readonly string[] | undefined;
}

const changedFields = <Item extends Identified>(old: Item, next: Item): Partial<Item> | null => {
  const keys = Object.keys(next) as (keyof Item & string)[];
  if (Object.keys(old).length !== keys.length || !keys.every((key) => Object.hasOwn(old, key))) return null;
  const fields: Partial<Item> = {};
  for (const key of keys) if (!sameValue(old[key], next[key])) fields[key] = next[key];
  return fields;
};

/** What leads from one list to the other; null when they are the same. Ids are unique within a list. */
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

/** The list after a difference. Items that didn't change stay the same objects; so does the list, without a difference. */
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
