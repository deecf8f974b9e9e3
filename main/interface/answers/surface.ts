import type { Answer } from '../../../app/contract/answer.ts';
import type { Autostart, Place } from '../../../app/contract/app-questions.ts';

/** An export on its way: pieces of text, made as they are asked for, so that 100,000 incidents don't fill the memory. */
export interface ExportContent {
  readonly name: string;
  readonly mediaType: 'text/csv' | 'application/json';
  readonly pieces: () => Iterable<string>;
}

/** What only the carrier can do. Nothing here throws; what can't be had is answered with a failure. */
export interface Surface {
  readonly kind: 'desktop' | 'page';
  /** Brings the place before the person's eyes. */
  readonly open: (place: Place) => Answer<object> | Promise<Answer<object>>;
  readonly copy: (text: string) => Answer<object> | Promise<Answer<object>>;
  readonly quit: () => Answer<object>;
  /** Where an export goes: a file that the person chose, or an address to fetch it from once. */
  readonly save: (
    content: ExportContent,
  ) => Promise<
    Answer<{ readonly kind: 'file'; readonly path: string } | { readonly kind: 'download'; readonly url: string }>
  >;
  /** Start at login, where the carrier knows better than main/autostart (login items of macOS and Windows); null: that one. */
  readonly autostart: {
    readonly status: () => Promise<Answer<Autostart>>;
    readonly set: (enabled: boolean) => Promise<Answer<Autostart>>;
  } | null;
}
