import type { Answer } from '../../../app/contract/answer.ts';
import type { Autostart, Place, ShortcutState } from '../../../app/contract/app-questions.ts';
import type { QuestionOutput } from '../../../app/contract/contract.ts';
import type { Snapshot } from '../../../app/contract/views/snapshot.ts';

/** An export in progress, made on demand: 100,000 incidents must not fill memory. */
export interface ExportContent {
  readonly name: string;
  readonly mediaType: 'text/csv' | 'application/json';
  readonly pieces: () => Iterable<string>;
}

/** What only the carrier can do. The impossible is answered with a failure, never thrown. */
export interface Surface {
  readonly kind: Snapshot['platform']['surface'];
  readonly open: (place: Place) => Answer<object> | Promise<Answer<object>>;
  readonly copy: (text: string) => Answer<object> | Promise<Answer<object>>;
  /** Opens a folder or text file, or shows it where opening could start something. */
  readonly openPath: (path: string) => Promise<Answer<QuestionOutput<'app.openPath'>>>;
  /** Opens what listens on a port of this machine in the browser. */
  readonly openPort: (port: number) => Promise<Answer<object>>;
  readonly shortcut: () => ShortcutState;
  readonly quit: () => Answer<object>;
  /** Where an export goes: a file that the user chose, or a one-time address. */
  readonly save: (
    content: ExportContent,
  ) => Promise<
    Answer<{ readonly kind: 'file'; readonly path: string } | { readonly kind: 'download'; readonly url: string }>
  >;
  /** Start at login by the carrier (login items of macOS, Windows); null: main/autostart. */
  readonly autostart: {
    readonly status: () => Promise<Answer<Autostart>>;
    readonly set: (enabled: boolean) => Promise<Answer<Autostart>>;
  } | null;
}
