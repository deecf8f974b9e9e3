import type { Connection } from '../../../app/contract/bridge.ts';
import type { EventName, EventPayload } from '../../../app/contract/contract.ts';

// Preload is one small file in a sandbox: import only types here.

export const channels = {
  /** Window to main process, with an answer: the name of a question and its input. */
  ask: 'curfew:ask',
  /** Window to main process: this window begins to listen, and wants the whole snapshot. */
  listen: 'curfew:listen',
  /** Main process to window: a `PushMessage`. */
  tell: 'curfew:tell',
} as const;

/** What the main process sends to a window unasked. */
export type PushMessage =
  | { readonly [Name in EventName]: { readonly event: Name; readonly payload: EventPayload<Name> } }[EventName]
  | { readonly event: 'connection'; readonly payload: Connection };
