import { useSyncExternalStore } from 'react';
import type { SettingsView } from '../../../app/contract/views/settings-view.ts';
import type { Draft } from './fields.ts';

export const chosenKeys = [
  'backgroundKillSignal',
  'atMaxElapsed',
  'inUseAtHardCap',
  'sessionServers',
  'unreachableAgents',
] as const;

/** Their values. */
export type LimitChoices = Pick<SettingsView, (typeof chosenKeys)[number]>;

/** What the user has changed on the page of limits and not saved. */
export interface LimitEdits {
  readonly fields: Draft;
  readonly chosen: Partial<LimitChoices>;
}

const none: LimitEdits = { fields: {}, chosen: {} };

// Not in the component: unsaved edits outlive a look at another section or view of this window.
let edits = none;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Replaces the unsaved edits. */
export const setLimitEdits = (next: LimitEdits): void => {
  edits = next;
  for (const listener of listeners) listener();
};

/** Drops the unsaved edits: they were saved, or are not wanted. */
export const forgetLimitEdits = (): void => setLimitEdits(none);

/** Returns the unsaved edits of this window. */
export const useLimitEdits = (): LimitEdits => useSyncExternalStore(subscribe, () => edits);

/** Returns whether there are edits that differ from what is saved, or can't be read. */
export const hasEdits = ({ fields, chosen }: LimitEdits): boolean =>
  Object.keys(fields).length > 0 || Object.keys(chosen).length > 0;
