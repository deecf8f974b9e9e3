import type { Snapshot } from '../views/snapshot.ts';
import type { SnapshotDifference } from './difference-schema.ts';
import { sameValue } from './same-value.ts';

/** An item of a list in a snapshot. Its id is unique within the list. */
export interface Identified {
  readonly id: string;
}

/** Some fields of an item, none undefined (JSON has no such value); the type that zod infers. */
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

/** Returns the difference of two lists, with ids unique in each; null if they are equal. */
const collectionDifference = <Item extends Identified>(
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

/** Applies a difference to a list. What is unchanged, item or list, stays the same object. */
const applyCollectionDifference = <Item extends Identified>(
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

// This file imports no schema: windows apply differences, and loading a validator would slow every
// opening.

const partNames = [
  'at',
  'platform',
  'mode',
  'modeChosen',
  'pausedUntil',
  'settings',
  'health',
  'watched',
  'agents',
  'leftOpen',
  'freedThisWeek',
] as const;

/**
 * Returns what changed. Guarantees that `applyDifference(old, diffSnapshot(old, next))` equals
 * `next`; equal parts are not sent.
 */
export const diffSnapshot = (old: Snapshot, next: Snapshot): SnapshotDifference => {
  const changed = partNames.filter((name) => !sameValue(old[name], next[name]));
  const jobs = collectionDifference(old.jobs, next.jobs);
  const reapings = collectionDifference(old.reapings, next.reapings);
  const incidents = collectionDifference(old.incidents, next.incidents);
  return {
    from: old.revision,
    to: next.revision,
    parts: Object.fromEntries(changed.map((name) => [name, next[name]])),
    ...(jobs === null ? {} : { jobs }),
    ...(reapings === null ? {} : { reapings }),
    ...(incidents === null ? {} : { incidents }),
  };
};

/**
 * Returns the snapshot after a difference; null if the difference belongs to another revision and
 * the whole must be requested. Unchanged parts keep their objects, so that views can skip them by
 * identity.
 */
export const applyDifference = (old: Snapshot, difference: SnapshotDifference): Snapshot | null => {
  if (old.revision !== difference.from) return null;
  return {
    ...old,
    ...(difference.parts as Partial<Snapshot>),
    revision: difference.to,
    jobs: applyCollectionDifference(old.jobs, difference.jobs),
    reapings: applyCollectionDifference(old.reapings, difference.reapings),
    incidents: applyCollectionDifference(old.incidents, difference.incidents),
  };
};
