import { isOwnUrl } from './policy.ts';

/** The checked part of a message's sender. */
export interface Sender {
  readonly id: number;
  /** The frame that sent it: its address and its parent; null when it is gone or navigated away. */
  readonly frame: { readonly url: string; readonly parent: unknown } | null;
}

/**
 * Returns whether a sender is the main frame of a window that the app itself made, showing a page
 * of ours. Point 17 of https://www.electronjs.org/docs/latest/tutorial/security; `senderFrame` may
 * be null (https://www.electronjs.org/docs/latest/api/structures/ipc-main-invoke-event).
 */
export const isOwnSender = ({ id, frame }: Sender, windows: ReadonlySet<number>): boolean =>
  frame !== null && frame.parent === null && windows.has(id) && isOwnUrl(frame.url);
